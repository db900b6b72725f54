import { expect } from 'chai';
import { MetricsRegistry } from './metrics-registry.js';

const requests = { name: 'x_requests_total', help: 'Requests.', labels: ['code', 'profile'] } as const;

describe('MetricsRegistry', () => {
  it('renders counters, gauges and histograms in the text format', async () => {
    const registry = new MetricsRegistry();
    registry.counter(requests).increment({ code: '200', profile: 'a' });
    registry.counter(requests).increment({ code: '200', profile: 'a' }, 2);
    registry.gauge({ name: 'x_age_seconds', help: 'Age.' }).set({}, 4.5);
    registry.histogram({ name: 'x_seconds', help: 'Time.', buckets: [0.1, 1] }).observe({}, 0.5);
    const page = await registry.render();
    expect(page.contentType).to.equal('text/plain; version=0.0.4; charset=utf-8');
    expect(page.body).to.include('x_requests_total{code="200",profile="a"} 3\n');
    expect(page.body).to.include('# TYPE x_age_seconds gauge\nx_age_seconds 4.5\n');
    expect(page.body).to.include('x_seconds_bucket{le="0.1"} 0\nx_seconds_bucket{le="1"} 1\n');
  });

  it('gives the same metric to whoever asks with the same spec: two profiles, or start, stop, start', async () => {
    const registry = new MetricsRegistry();
    for (const profile of ['a', 'b', 'a']) {
      registry.counter({ ...requests }).increment({ code: '200', profile });
    }
    const { body } = await registry.render();
    expect(body).to.include('profile="a"} 2').and.include('profile="b"} 1');
  });

  it('refuses the same name for something else', () => {
    const registry = new MetricsRegistry();
    registry.counter(requests);
    expect(() => registry.gauge(requests)).to.throw(TypeError, 'metric x_requests_total exists already');
    expect(() => registry.counter({ ...requests, labels: ['code'] })).to.throw(TypeError, 'exists already');
  });

  it('keeps two registries in one process apart', async () => {
    const [one, two] = [new MetricsRegistry(), new MetricsRegistry()];
    one.gauge({ name: 'x_nodes', help: 'Nodes.' }).set({}, 1);
    two.gauge({ name: 'x_nodes', help: 'Nodes.' }).set({}, 2);
    expect((await one.render()).body).to.include('x_nodes 1\n');
    expect((await two.render()).body).to.include('x_nodes 2\n');
  });

  it('asks for fresh values before each rendering, until told to stop', async () => {
    const registry = new MetricsRegistry();
    const gauge = registry.gauge({ name: 'x_queue', help: 'Queue.' });
    let size = 0;
    const stop = registry.beforeRender(() => gauge.set({}, ++size));
    expect((await registry.render()).body).to.include('x_queue 1\n');
    expect((await registry.render()).body).to.include('x_queue 2\n');
    stop();
    expect((await registry.render()).body).to.include('x_queue 2\n');
  });

  it('forgets labelled series on clear, so that a removed node does not live for ever', async () => {
    const registry = new MetricsRegistry();
    const gauge = registry.gauge({ name: 'x_load', help: 'Load.', labels: ['node'] });
    gauge.set({ node: 'gone' }, 1);
    gauge.clear();
    gauge.set({ node: 'here' }, 2);
    const { body } = await registry.render();
    expect(body).to.include('node="here"').and.not.include('gone');
  });

  it('lists its metrics by name', () => {
    const registry = new MetricsRegistry();
    registry.gauge({ name: 'x_b', help: 'B.' });
    registry.counter(requests);
    registry.histogram({ name: 'x_a', help: 'A.', buckets: [1] });
    expect(registry.specs().map(({ name, type }) => `${name} ${type}`)).to.deep.equal([
      'x_a histogram',
      'x_b gauge',
      'x_requests_total counter',
    ]);
  });

  it('adds figures of the process only when asked', async () => {
    expect((await new MetricsRegistry().render()).body).to.not.include('process_');
    const { body } = await new MetricsRegistry({ processMetrics: true }).render();
    expect(body).to.include('process_resident_memory_bytes ');
  });
});
