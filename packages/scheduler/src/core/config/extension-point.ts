/** Extension points a v1 profile may name, in the order in which the framework runs them. */
export const EXTENSION_POINTS = [
  'preEnqueue',
  'queueSort',
  'preFilter',
  'filter',
  'postFilter',
  'preScore',
  'score',
  'reserve',
  'permit',
  'preBind',
  'bind',
  'postBind',
  'placementGenerate',
  'placementScore',
  'placementFeasible',
  'podGroupPostFilter',
] as const;

export type ExtensionPoint = (typeof EXTENSION_POINTS)[number];

/** How kube-scheduler's messages spell a point: `ScorePlugin "Foo" does not exist`. */
export function pointTitle(point: ExtensionPoint): string {
  return point.charAt(0).toUpperCase() + point.slice(1);
}
