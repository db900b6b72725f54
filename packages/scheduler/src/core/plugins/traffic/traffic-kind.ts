/** What a plugin's query is made from. */
export interface TrafficQuery {
  /** PromQL duration of the range. */
  readonly range: string;
  /** An anchored regular expression; undefined: all that count by default. */
  readonly devices: string | undefined;
  readonly mountPoint: string;
}

/** What is particular to one of the plugins. */
export interface TrafficKind {
  readonly name: string;
  /** Of its query and page, beside this one. */
  readonly folder: string;
  /** Of its measure, for people and metrics. */
  readonly signal: string;
  readonly unit: 'percent' | 'bytes per second';
  /** `free`: the more the better. `traffic`: the less the better. */
  readonly direction: 'free' | 'traffic';
  readonly measuresDevices: boolean;
  readonly measuresMounts: boolean;
  /**
   * An instant vector with one series a node and exporter. A node that is not scraped any more must not be in it, however
   * far the range reaches back.
   */
  readonly promql: (query: TrafficQuery) => string;
}
