import { expect } from 'chai';
import {
  changelogText,
  chartText,
  kustomizationText,
  notesOf,
  packageText,
  VERSION,
} from './version-texts.mjs';

const CHANGELOG =
  '# Changelog\n\n## [Unreleased]\n\n### Added\n\n- A thing.\n\n## [0.1.0] - 2026-01-01\n\n- The first.\n';

describe('a release', () => {
  it('turns what is unreleased into a version of that day', () => {
    const text = changelogText(CHANGELOG, '0.2.0', '2026-12-01');
    expect(text).to.include(
      '## [Unreleased]\n\n## [0.2.0] - 2026-12-01\n\n### Added\n\n- A thing.\n\n## [0.1.0]',
    );
    expect(notesOf(text, '0.2.0')).to.equal('### Added\n\n- A thing.\n');
    expect(notesOf(text, '0.1.0')).to.equal('- The first.\n');
  });

  it('refuses a version that the changelog has, and a release of nothing', () => {
    expect(() => changelogText(CHANGELOG, '0.1.0', 'x')).to.throw('0.1.0 already');
    const text = changelogText(CHANGELOG, '0.2.0', '2026-12-01');
    expect(() => changelogText(text, '0.3.0', 'x')).to.throw('nothing to release');
    expect(() => notesOf(CHANGELOG, '9.9.9')).to.throw('nothing about 9.9.9');
  });

  it('changes the version of packages, chart and manifests, and nothing else', () => {
    expect(packageText('{ "name": "a", "version": "0.1.0", "x": "0.1.0" }', '0.2.0')).to.equal(
      '{ "name": "a", "version": "0.2.0", "x": "0.1.0" }',
    );
    expect(chartText('apiVersion: v2\nversion: 0.1.0\nappVersion: 0.1.0\n', '0.2.0')).to.equal(
      'apiVersion: v2\nversion: 0.2.0\nappVersion: 0.2.0\n',
    );
    expect(kustomizationText('a\n newTag: 1\nb\n newTag: 1\n', '0.2.0')).to.equal(
      'a\n newTag: 0.2.0\nb\n newTag: 0.2.0\n',
    );
    expect(() => kustomizationText('newTag: 1\n', '2')).to.throw('two newTag');
  });

  for (const [version, expected] of [
    ['1.2.3', true],
    ['1.2.3-rc.1', true],
    ['v1.2.3', false],
    ['1.2', false],
    ['1.2.3; rm', false],
  ]) {
    it(`${version} is ${expected ? 'a' : 'no'} version`, () =>
      expect(VERSION.test(version)).to.equal(expected));
  }
});
