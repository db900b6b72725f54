import { createRequire } from 'node:module';

/** What `--version` prints, and `--version=raw`. */
export function versionText(isRaw: boolean): string {
  const { version } = createRequire(import.meta.url)('../../package.json') as { readonly version: string };
  if (!isRaw) return `Catamaran scheduler v${version}\n`;
  const { version: nodeVersion, platform, arch } = process;
  return `${JSON.stringify({ version, nodeVersion, platform: `${platform}/${arch}` })}\n`;
}
