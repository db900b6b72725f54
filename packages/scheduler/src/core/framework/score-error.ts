/** A score plugin can't and must not score: the attempt ends as an error, and nothing is bound. */
export class ScoreError extends Error {
  override readonly name = 'ScoreError';
  readonly plugin: string;

  constructor(plugin: string, message: string) {
    super(`plugin "${plugin}" ${message}`);
    this.plugin = plugin;
  }
}
