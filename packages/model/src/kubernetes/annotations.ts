/** On a node or a pod: ceilings of load that take the place of those of the LoadCeiling plugin's arguments. */
export const LOAD_CEILING_ANNOTATION = 'catamaran.dev/load-ceiling';
