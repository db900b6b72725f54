/* oxlint-disable eslint/max-lines-per-function -- a suite is one function of many tests */
import type { Pod } from '@catamaran/model';
import { compareResourceVersions, isClusterApiError, type WatchEvent } from '@catamaran/platform';
import { expect } from 'chai';
import { podOf } from '../builders/pod-builder.js';
import { inShort, readEvents } from './cluster-api-harness.js';
import type { ClusterApiFixture } from './describe-cluster-api.js';

export function describeWatches(fixture: ClusterApiFixture): void {
  const create = (name: string, shape: Parameters<typeof podOf>[1] = {}) =>
    fixture.harness.createPod(podOf(name, { ...shape, namespace: fixture.harness.namespace }));
  const inNamespace = () => `metadata.namespace=${fixture.harness.namespace}`;
  const present = async (): Promise<string> => {
    const { resourceVersion } = await fixture.harness.api.list('pods', { limit: 1 }, fixture.signal);
    return resourceVersion;
  };
  const watch = (resourceVersion: string, fieldSelector: string, more: { timeoutSeconds?: number } = {}) =>
    fixture.harness.api.watch('pods', { resourceVersion, fieldSelector, ...more }, fixture.signal);
  const bind = ({ metadata }: Pod) =>
    fixture.harness.api.bindPod(
      {
        namespace: fixture.harness.namespace,
        name: metadata.name,
        uid: metadata.uid ?? '',
        nodeName: 'a-node',
      },
      fixture.signal,
    );
  const until =
    (count: number) =>
    (seen: readonly WatchEvent<Pod>[]): boolean =>
      inShort(seen).length === count;

  const passUntil = async (reading: Promise<unknown>): Promise<void> => {
    let ended = false;
    const end = reading.finally(() => {
      ended = true;
    });
    while (!ended) await fixture.harness.passSeconds(1);
    await end;
  };

  it('tells every change after the version of a list, in order, in growing versions', async () => {
    const version = await present();
    const pod = await create('p1');
    await bind(pod);
    await fixture.harness.deletePod('p1');
    await create('p2');
    const seen = await readEvents(
      watch(version, inNamespace()),
      (events) => inShort(events).at(-1) === 'ADDED p2',
    );
    const told = inShort(seen);
    expect(told[0]).to.equal('ADDED p1');
    expect(told[1]).to.equal('MODIFIED p1');
    expect(told.at(-2)).to.equal('DELETED p1');
    const versions = seen.flatMap((event) =>
      'object' in event ? [event.object.metadata.resourceVersion ?? ''] : [],
    );
    for (const [index, later] of versions.slice(1).entries()) {
      expect(compareResourceVersions(versions[index] ?? '', later)).to.be.below(0);
    }
  });

  it('says that it is open before anything happens', async () => {
    const stop = new AbortController();
    const opened = new Promise<void>((resolve) => {
      const query = { resourceVersion: '', fieldSelector: inNamespace(), onOpen: resolve };
      void present()
        .then((resourceVersion) =>
          readEvents(
            fixture.harness.api.watch('pods', { ...query, resourceVersion }, stop.signal),
            () => false,
          ),
        )
        .catch(() => undefined);
    });
    await opened;
    stop.abort();
  });

  it('tells what happens while it is open', async () => {
    const reading = readEvents(watch(await present(), inNamespace()), until(2));
    await create('p1');
    await create('p2');
    expect(inShort(await reading)).to.deep.equal(['ADDED p1', 'ADDED p2']);
  });

  it('deletes what leaves the selection and adds what enters it', async () => {
    const pod = await create('p1');
    const version = await present();
    await bind(pod);
    const unassigned = await readEvents(watch(version, `${inNamespace()},spec.nodeName=`), until(1));
    expect(inShort(unassigned)).to.deep.equal(['DELETED p1']);
    const assigned = await readEvents(watch(version, `${inNamespace()},spec.nodeName=a-node`), until(1));
    expect(inShort(assigned)).to.deep.equal(['ADDED p1']);
  });

  it('ends normally when its time is up', async () => {
    const reading = readEvents(watch(await present(), inNamespace(), { timeoutSeconds: 1 }), () => false);
    await passUntil(reading);
    expect(inShort(await reading)).to.deep.equal([]);
  });

  /** A real server sends one shortly before the end, of what happened since the watch was opened, but promises none. */
  const bookmarkBehind = async (hiddenName: string): Promise<{ bookmark?: string; hidden: string }> => {
    const { api } = fixture.harness;
    const fieldSelector = 'metadata.name=nobody';
    const query = { resourceVersion: await present(), fieldSelector, timeoutSeconds: 8 };
    let reading: Promise<WatchEvent<Pod>[]> = Promise.resolve([]);
    await new Promise<void>((resolve, reject) => {
      reading = readEvents(api.watch('pods', { ...query, onOpen: resolve }, fixture.signal), () => true);
      reading.catch(reject);
    });
    const { metadata } = await create(hiddenName);
    await passUntil(reading);
    const [event] = await reading;
    const bookmark = event?.type === 'BOOKMARK' ? { bookmark: event.resourceVersion } : {};
    return { ...bookmark, hidden: metadata.resourceVersion ?? '' };
  };

  it('marks with a bookmark how far it is, also behind changes that its selector hides', async function () {
    this.timeout(120_000);
    let seen = await bookmarkBehind('hidden');
    for (let attempt = 1; seen.bookmark === undefined; attempt += 1) {
      seen = await bookmarkBehind(`hidden-${attempt}`);
    }
    expect(compareResourceVersions(seen.bookmark, seen.hidden)).to.be.at.least(0);
    await create('p2');
    const next = await readEvents(watch(seen.bookmark, inNamespace()), until(1));
    expect(inShort(next)).to.deep.equal(['ADDED p2']);
  });

  it('answers 410 for a version that is too old, as a refusal or as an event', async function () {
    const { compact } = fixture.harness;
    if (compact === undefined) return this.skip();
    const version = await present();
    await create('p1');
    await compact();
    const outcome = await readEvents(watch(version, inNamespace()), () => true).then(
      inShort,
      (error: unknown) => (isClusterApiError(error) ? `ERROR ${error.httpStatus}` : error),
    );
    expect([outcome].flat()).to.deep.equal(['ERROR 410']);
  });

  it('rejects with the reason of its signal when it is aborted', async () => {
    const stop = new AbortController();
    const reason = new Error('no longer wanted');
    const query = { resourceVersion: await present(), fieldSelector: inNamespace() };
    const reading = readEvents(fixture.harness.api.watch('pods', query, stop.signal), () => {
      stop.abort(reason);
      return false;
    });
    await create('p1');
    expect(await reading.catch((error: unknown) => error)).to.equal(reason);
  });
}
