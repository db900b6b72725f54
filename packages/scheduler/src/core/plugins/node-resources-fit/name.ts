export const NAME = 'NodeResourcesFit';
