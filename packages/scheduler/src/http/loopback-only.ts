import { HttpError, isFromThisMachine } from '@catamaran/platform';
import type { RequestHandler } from 'express';

/** Until requests can be authorised, what tells about the cluster is for this machine only: anyone else gets 403. */
export const loopbackOnly: RequestHandler = (request, _response, next) => {
  if (!isFromThisMachine(request)) {
    throw new HttpError(
      403,
      'only requests from this machine are answered: use kubectl port-forward or exec',
    );
  }
  next();
};
