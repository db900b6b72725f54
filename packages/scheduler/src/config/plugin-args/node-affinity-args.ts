import type { NodeAffinity } from '@catamaran/model';
import {
  choiceReader,
  integerReader,
  listReader,
  objectReader,
  type Report,
  readPlain,
  readString,
} from '../reading.js';
import type { SourceNode } from '../source-node.js';

const readRequirement = objectReader({
  key: readString,
  operator: choiceReader(['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt']),
  values: listReader(readString),
});

const readTerm = objectReader({
  matchExpressions: listReader(readRequirement),
  matchFields: listReader(readRequirement),
});

const readAffinity = objectReader({
  requiredDuringSchedulingIgnoredDuringExecution: objectReader({ nodeSelectorTerms: listReader(readTerm) }),
  preferredDuringSchedulingIgnoredDuringExecution: listReader(
    objectReader({ weight: integerReader({ min: 1, max: 100 }), preference: readTerm }),
  ),
});

/** `addedAffinity`: applies to every pod of the profile; checked here, handed on as it is. */
export function readAddedAffinity(node: SourceNode, report: Report): NodeAffinity | undefined {
  const fields = readAffinity(node, report);
  if (fields === undefined) {
    return undefined;
  }
  const required = fields.requiredDuringSchedulingIgnoredDuringExecution;
  const preferred = fields.preferredDuringSchedulingIgnoredDuringExecution;
  if (required === undefined && (preferred === undefined || preferred.length === 0)) {
    report.missing(node, '', 'is empty: give a required or preferred affinity, or leave addedAffinity out');
    return undefined;
  }
  return readPlain(node) as NodeAffinity;
}
