import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The compiled entry point of a package. @throws Error when it has not been built. */
export function builtMain(packageName: string): string {
  const path = fileURLToPath(new URL(`../../../packages/${packageName}/dist/main.js`, import.meta.url));
  if (!existsSync(path)) throw new Error(`${path} is missing: run npm run build first`);
  return path;
}
