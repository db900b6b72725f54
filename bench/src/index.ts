export { describeMachine } from './report/machine.js';
export { withBlock } from './report/markdown.js';
