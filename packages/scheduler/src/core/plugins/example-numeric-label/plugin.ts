import { definePlugin, scorePart } from '../../framework/plugin-definition.js';
import { NUMERIC_LABEL_DEFAULTS, type NumericLabelArgs } from './args.js';
import { numericLabelScore } from './score.js';

const NAME = 'ExampleNumericLabel';

/** The example of docs/guides/write-a-plugin.md: likes nodes by a number in one of their labels. */
export const exampleNumericLabel = definePlugin<NumericLabelArgs>(NAME, (given) => {
  const { label, best } = { ...NUMERIC_LABEL_DEFAULTS, ...given };
  return scorePart<undefined>({
    name: NAME,
    scope: 'node-object',
    score: (_cycle, { labels }) => numericLabelScore(labels[label], best),
    explain: (_cycle, { labels }) => ({ label, value: labels[label] ?? null, best }),
  });
});
