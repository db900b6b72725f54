import { expect } from 'chai';
import { defaultSchedulerConfig, loadSchedulerConfig } from './load-scheduler-config.js';

const HEAD = 'apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n';

function problemsOf(body: string): readonly string[] {
  const loaded = loadSchedulerConfig(`${HEAD}${body}`, 'c.yaml');
  return loaded.ok ? [] : loaded.problems;
}

function warningsOf(body: string): readonly string[] {
  const loaded = loadSchedulerConfig(`${HEAD}${body}`, 'c.yaml');
  expect(loaded.ok ? [] : loaded.problems).to.deep.equal([]);
  return loaded.warnings;
}

function profile(body: string): string {
  return `profiles:\n- schedulerName: s\n${body.replace(/^/gm, '  ')}\n`;
}

/** Sentence, configuration body after the header, all problems. */
const REFUSED: readonly (readonly [string, string, readonly string[]])[] = [
  [
    'C35: profiles written as a map',
    'profiles: {pluginConfig: [{name: PodTopologySpread, args: {}}]}',
    ['profiles: expected a list, got a map: begin each entry with "- " (c.yaml, line 3)'],
  ],
  [
    'C35: pluginConfig written as a map',
    profile('pluginConfig: {name: X}'),
    ['profiles[0].pluginConfig: expected a list, got a map: begin each entry with "- " (c.yaml, line 5)'],
  ],
  [
    'C37: an extension point that v1 does not have',
    profile('plugins: {unreserve: {enabled: [{name: X}]}}'),
    ['profiles[0].plugins.unreserve: unknown field "unreserve": did you mean "reserve"? (c.yaml, line 5)'],
  ],
  [
    'C37: names are case-sensitive',
    'profiles: [{schedulername: a}]',
    [
      'profiles[0].schedulername: unknown field "schedulername": did you mean "schedulerName"? (c.yaml, line 3)',
    ],
  ],
  [
    'C39: a template that was not rendered, with its line',
    profile('pluginConfig:\n- name: NodeResourcesFit\n  args: {ignoredResources: {{ .Values.x }}}'),
    ['unrendered template {{ .Values.x }}: render the file before it is read (c.yaml, line 7)'],
  ],
  [
    'C40: a misspelt plugin in enabled',
    profile('plugins: {score: {enabled: [{name: NodeResourceFit}]}}'),
    [
      'profiles[0].plugins.score.enabled[0].name: ScorePlugin "NodeResourceFit" does not exist: did you mean "NodeResourcesFit"? (c.yaml, line 5)',
    ],
  ],
  [
    'C41: a removed plugin in enabled',
    profile('plugins: {score: {enabled: [{name: NodeResourcesLeastAllocated}]}}'),
    [
      'profiles[0].plugins.score.enabled[0].name: plugin "NodeResourcesLeastAllocated" was invalid in version "v1": use NodeResourcesFit with scoringStrategy type LeastAllocated (c.yaml, line 5)',
    ],
  ],
  [
    'C41: a removed plugin in pluginConfig',
    profile('pluginConfig: [{name: NodeResourcesLeastAllocated, args: {}}]'),
    [
      'profiles[0].pluginConfig[0].name: plugin NodeResourcesLeastAllocated was removed from kube-scheduler: use NodeResourcesFit with scoringStrategy type LeastAllocated (c.yaml, line 5)',
    ],
  ],
  [
    'C42: two profiles of one name',
    'profiles: [{schedulerName: a}, {schedulerName: a}]',
    ['profiles[1].schedulerName: "a" is a duplicate of profiles[0] (c.yaml, line 3)'],
  ],
  [
    'C42: a profile without a name among several',
    'profiles: [{schedulerName: a}, {}]',
    ['profiles[1].schedulerName: is needed when there are several profiles (c.yaml, line 3)'],
  ],
  [
    'C42: another order of the queue in one of the profiles',
    'profiles: [{schedulerName: a}, {schedulerName: b, plugins: {queueSort: {disabled: [{name: PrioritySort}]}}}]',
    [
      'profiles[1].plugins: only one queue sort plugin required for profile with scheduler name "b", but got 0: enable PrioritySort at queueSort (c.yaml, line 3)',
    ],
  ],
  [
    'a default plugin that has no code yet, enabled by name',
    profile('plugins:\n  filter:\n    enabled:\n    - name: InterPodAffinity'),
    [
      'profiles[0].plugins.filter.enabled[0].name: plugin "InterPodAffinity" is not built yet in this scheduler: remove it here (the default set may keep it) (c.yaml, line 8)',
    ],
  ],
  [
    'a plugin at a point it does not have',
    profile('plugins: {filter: {enabled: [{name: TargetLoadPacking}]}}'),
    [
      'profiles[0].plugins.filter.enabled[0].name: plugin "TargetLoadPacking" does not extend Filter plugin: enable it at score or multiPoint (c.yaml, line 5)',
    ],
  ],
  [
    'a plugin twice in one list',
    profile('plugins: {score: {enabled: [{name: TargetLoadPacking}, {name: TargetLoadPacking}]}}'),
    [
      'profiles[0].plugins.score.enabled[1].name: plugin "TargetLoadPacking" already registered as "Score": keep one entry (c.yaml, line 5)',
    ],
  ],
  [
    'DefaultBinder disabled without another Bind plugin',
    profile('plugins: {bind: {disabled: [{name: DefaultBinder}]}}'),
    [
      'profiles[0].plugins: at least one bind plugin is needed for profile with scheduler name "s": enable DefaultBinder at bind (c.yaml, line 5)',
    ],
  ],
  [
    'all defaults disabled leaves nothing to sort and bind with',
    profile('plugins: {multiPoint: {disabled: [{name: "*"}]}}'),
    [
      'profiles[0].plugins: only one queue sort plugin required for profile with scheduler name "s", but got 0: enable PrioritySort at queueSort (c.yaml, line 5)',
      'profiles[0].plugins: at least one bind plugin is needed for profile with scheduler name "s": enable DefaultBinder at bind (c.yaml, line 5)',
    ],
  ],
  [
    'two configs for one plugin',
    profile('pluginConfig: [{name: NodeAffinity}, {name: NodeAffinity}]'),
    [
      'profiles[0].pluginConfig[1].name: repeated config for plugin NodeAffinity: keep one of them (c.yaml, line 5)',
    ],
  ],
  [
    'args of another kind',
    profile('pluginConfig: [{name: NodeAffinity, args: {kind: InterPodAffinityArgs}}]'),
    [
      'profiles[0].pluginConfig[0].args.kind: expected NodeAffinityArgs, got InterPodAffinityArgs: correct it or leave it out (c.yaml, line 5)',
    ],
  ],
  [
    'an unknown field deep in the args',
    profile(
      'pluginConfig:\n- name: NodeResourcesFit\n  args:\n    scoringStrategy:\n      resources:\n      - {Name: cpu, weight: 1}',
    ),
    [
      'profiles[0].pluginConfig[0].args.scoringStrategy.resources[0].Name: unknown field "Name": did you mean "name"? (c.yaml, line 10)',
    ],
  ],
  [
    'a shape that does not rise',
    profile(
      'pluginConfig: [{name: NodeResourcesFit, args: {scoringStrategy: {type: RequestedToCapacityRatio, requestedToCapacityRatio: {shape: [{utilization: 50, score: 0}, {utilization: 50, score: 10}]}}}}]',
    ),
    [
      'profiles[0].pluginConfig[0].args.scoringStrategy.requestedToCapacityRatio.shape: utilization 50 of point 1 must be above 50 of the point before (c.yaml, line 5)',
    ],
  ],
  [
    'a key given twice',
    'parallelism: 4\nparallelism: 5',
    ['key "parallelism" stands twice in one map: keep one of them (c.yaml, line 4)'],
  ],
  [
    'extenders, until they are built',
    'extenders: [{urlPrefix: "http://e.example", prioritizeVerb: p, weight: 1}]',
    [
      'extenders: calling extenders is not built yet: remove the list, or keep these pods with kube-scheduler (c.yaml, line 3)',
    ],
  ],
  [
    'a lease that ends before its renewal, and a renewal before its retry',
    'leaderElection: {leaseDuration: 5s, renewDeadline: 10s, retryPeriod: 9s}',
    [
      'leaderElection: leaseDuration 5000 ms must be longer than renewDeadline 10000 ms (c.yaml, line 3)',
      'leaderElection: renewDeadline 10000 ms must be longer than 1.2 times retryPeriod 9000 ms (c.yaml, line 3)',
    ],
  ],
  [
    'everything that is wrong in the process sections, at once',
    'parallelism: 0\npercentageOfNodesToScore: 101\npodMaxBackoffSeconds: 0.5\nleaderElection: {leaseDuration: 5s, renewDeadline: 10, retryPeriod: 9s}\nclientConnection: {qps: "50"}\nenableProfiling: yes',
    [
      'parallelism: 0 is out of range: expected 1 or more (c.yaml, line 3)',
      'percentageOfNodesToScore: 101 is out of range: expected 0 to 100 (c.yaml, line 4)',
      'podMaxBackoffSeconds: 0.5 is out of range: expected 1 or more (c.yaml, line 5)',
      'leaderElection.renewDeadline: 10 has no unit; write 10s for seconds or 10ms for milliseconds (c.yaml, line 6)',
      'clientConnection.qps: expected a number, got the string "50": remove the quotes (c.yaml, line 7)',
      'enableProfiling: kube-scheduler reads yes as true: write true, or quote it if it is a text (c.yaml, line 8)',
    ],
  ],
];

/** Sentence, whole file, all problems. */
const WRONG_FILES: readonly (readonly [string, string, readonly string[]])[] = [
  ['an empty file', '', ['the file is empty: expected a KubeSchedulerConfiguration (c.yaml, line 1)']],
  ['a list', '- a', ['expected a KubeSchedulerConfiguration, got a list (c.yaml, line 1)']],
  [
    'C36: no version and a misspelt kind',
    'kind: KubeSchedulerConfig\n',
    [
      'kind: "KubeSchedulerConfig" is not KubeSchedulerConfiguration (c.yaml, line 1)',
      "apiVersion: Object 'apiVersion' is missing: supported are kubescheduler.config.k8s.io/v1, v1beta3, v1beta2 and v1beta1 (c.yaml, line 1)",
    ],
  ],
  [
    'C36: a version that never was',
    'apiVersion: componentconfig/v1alpha1\nkind: KubeSchedulerConfiguration',
    [
      'apiVersion: no kind "KubeSchedulerConfiguration" is registered for version "componentconfig/v1alpha1": supported are kubescheduler.config.k8s.io/v1, v1beta3, v1beta2 and v1beta1 (c.yaml, line 1)',
    ],
  ],
  [
    'two documents',
    `${HEAD}---\n${HEAD}`,
    ['a second document begins here: one file holds one configuration (c.yaml, line 4)'],
  ],
  [
    'an alias that contains itself',
    `${HEAD}profiles: &a [*a]`,
    ['profiles[0]: an alias contains itself (c.yaml, line 3)'],
  ],
];

describe('loadSchedulerConfig', () => {
  for (const [sentence, body, problems] of REFUSED) {
    it(`refuses ${sentence}`, () => {
      expect(problemsOf(body)).to.deep.equal(problems);
    });
  }
  for (const [sentence, text, problems] of WRONG_FILES) {
    it(`refuses ${sentence}`, () => {
      const loaded = loadSchedulerConfig(text, 'c.yaml');
      expect(loaded.ok ? [] : loaded.problems).to.deep.equal(problems);
    });
  }

  for (const [sentence, text] of [
    ['a marker before it', `---\n${HEAD}`],
    ['a marker after it', `${HEAD}---\n`],
    ['a marker after it, without a last line end', `${HEAD}---`],
    ['an end marker', `${HEAD}...\n`],
    ['an end marker and a marker', `${HEAD}...\n---\n`],
    ['comments around markers', `# a\n---\n# b\n---\n# c\n${HEAD}# d\n---\n# e\n---\n\n`],
    ['a document of null', `${HEAD}---\nnull\n`],
  ] as const) {
    it(`takes ${sentence} for no document of its own`, () => {
      const loaded = loadSchedulerConfig(text, 'c.yaml');
      expect(loaded.ok ? loaded.config : loaded.problems).to.deep.equal(defaultSchedulerConfig());
    });
  }

  for (const empty of ['', '---\n', '---\n# nothing\n---\n']) {
    it(`calls ${JSON.stringify(empty)} empty`, () => {
      const loaded = loadSchedulerConfig(empty, 'c.yaml');
      expect(loaded.ok ? [] : loaded.problems).to.deep.equal([
        'the file is empty: expected a KubeSchedulerConfiguration (c.yaml, line 1)',
      ]);
    });
  }

  it('C40: warns of a misspelt plugin in disabled and goes on', () => {
    expect(warningsOf(profile('plugins: {score: {disabled: [{name: NodeResourceFit}]}}'))).to.deep.equal([
      'profiles[0].plugins.score.disabled[0].name: disabling "NodeResourceFit" has no effect: no such plugin, did you mean "NodeResourcesFit"? (c.yaml, line 5)',
    ]);
  });

  it('C41: accepts a removed plugin in disabled', () => {
    expect(
      warningsOf(profile('plugins: {score: {disabled: [{name: NodeResourcesLeastAllocated}]}}')),
    ).to.deep.equal([
      'profiles[0].plugins.score.disabled[0].name: disabling "NodeResourcesLeastAllocated" has no effect since v1beta2: the plugin no longer exists (c.yaml, line 5)',
    ]);
  });

  it("C36: reads v1beta3 as v1, with a note; upstream's own Trimaran sample still says it", () => {
    const body = `${profile(
      'plugins:\n  score:\n    disabled: [{name: NodeResourcesBalancedAllocation}, {name: NodeResourcesLeastAllocated}]\n    enabled: [{name: TargetLoadPacking}]\npluginConfig:\n- name: TargetLoadPacking\n  args: {apiVersion: VERSION, defaultRequests: {cpu: "2000m"}, targetUtilization: 70}',
    )}`;
    const load = (version: string) =>
      loadSchedulerConfig(
        `apiVersion: ${version}\nkind: KubeSchedulerConfiguration\n${body.replace('VERSION', version)}`,
        'c.yaml',
      );
    const [old, now] = [load('kubescheduler.config.k8s.io/v1beta3'), load('kubescheduler.config.k8s.io/v1')];
    expect(old.ok && old.config)
      .to.be.an('object')
      .and.deep.equal(now.ok && now.config);
    expect(old.warnings[0]).to.match(
      /^apiVersion: kubescheduler\.config\.k8s\.io\/v1beta3 is gone from kube-scheduler 1\.29 on, .* \(c\.yaml, line 1\):\napiVersion: kubescheduler\.config\.k8s\.io\/v1\nkind: /,
    );
  });

  it('C42: one profile without a name is the default scheduler', () => {
    const loaded = loadSchedulerConfig(`${HEAD}profiles: [{}]`, 'c.yaml');
    expect(loaded.ok && loaded.config.profiles.map(({ schedulerName }) => schedulerName)).to.deep.equal([
      'default-scheduler',
    ]);
  });

  it('reads JSON', () => {
    const loaded = loadSchedulerConfig(
      '{"apiVersion":"kubescheduler.config.k8s.io/v1","kind":"KubeSchedulerConfiguration","parallelism":4}',
      'c.json',
    );
    expect(loaded.ok && loaded.config.parallelism).to.equal(4);
  });

  it('an empty body is the same as no file', () => {
    const loaded = loadSchedulerConfig(HEAD, 'c.yaml');
    expect(loaded.ok && loaded.config).to.deep.equal(defaultSchedulerConfig());
  });

  it('freezes the whole configuration', () => {
    const fit = defaultSchedulerConfig().profiles[0]?.pluginArgs.NodeResourcesFit as {
      scoringStrategy: object;
    };
    expect(Object.isFrozen(fit.scoringStrategy)).to.equal(true);
  });

  it('fills in the defaults of kube-scheduler', () => {
    const { profiles, ...process } = defaultSchedulerConfig();
    expect(process).to.deep.equal({
      parallelism: 16,
      leaderElection: {
        leaderElect: true,
        leaseDurationMs: 15_000,
        renewDeadlineMs: 10_000,
        retryPeriodMs: 2_000,
        resourceLock: 'leases',
        resourceName: 'kube-scheduler',
        resourceNamespace: 'kube-system',
      },
      clientConnection: {
        kubeconfig: '',
        acceptContentTypes: '',
        contentType: 'application/json',
        qps: 50,
        burst: 100,
      },
      enableProfiling: true,
      enableContentionProfiling: true,
      percentageOfNodesToScore: undefined,
      podInitialBackoffSeconds: 1,
      podMaxBackoffSeconds: 10,
      delayCacheUntilActive: false,
    });
    expect(Object.keys(profiles[0]?.pluginArgs ?? {}).sort()).to.deep.equal([
      'DefaultPreemption',
      'DynamicResources',
      'InterPodAffinity',
      'NodeAffinity',
      'NodeResourcesBalancedAllocation',
      'NodeResourcesFit',
      'PodTopologySpread',
      'VolumeBinding',
    ]);
  });
});
