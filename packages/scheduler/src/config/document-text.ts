import { stringify } from 'yaml';

/** A document as YAML that kube-scheduler reads as we do: texts that YAML 1.1 takes for other values are in quotes. */
export function documentText(document: unknown): string {
  return stringify(document, { aliasDuplicateObjects: false, compat: 'yaml-1.1' });
}
