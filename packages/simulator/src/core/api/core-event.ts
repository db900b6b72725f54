import type { KubernetesEvent } from '@catamaran/model';

/** An event as `v1` shows it: the same object under older names. */
export function asCoreEvent(event: KubernetesEvent): object {
  const { regarding, note, reportingController, ...same } = event;
  const first = event.eventTime;
  const last = event.series?.lastObservedTime ?? first;
  return {
    ...same,
    apiVersion: 'v1',
    kind: 'Event',
    involvedObject: regarding,
    ...(note === undefined ? {} : { message: note }),
    source: { component: reportingController },
    reportingComponent: reportingController,
    count: event.series?.count ?? 1,
    firstTimestamp: `${first.slice(0, 19)}Z`,
    lastTimestamp: `${last.slice(0, 19)}Z`,
  };
}

/** A `v1` field selector in the names of `events.k8s.io/v1`. */
export function fromCoreSelector(fieldSelector: string): string {
  return fieldSelector
    .replaceAll(/(^|,)involvedObject\./g, '$1regarding.')
    .replaceAll(/(^|,)(source|reportingComponent)(=|!=)/g, '$1reportingController$3');
}
