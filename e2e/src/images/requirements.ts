import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Program → the Debian package that has it. */
const PROGRAMS: Readonly<Record<string, string>> = {
  buildah: 'buildah',
  mmdebstrap: 'mmdebstrap',
  unshare: 'util-linux',
  setpriv: 'util-linux',
  mount: 'mount',
};

/** What keeps images from being built and run on this machine; undefined when nothing does. */
export function obstacleToImages(
  env: Readonly<Record<string, string | undefined>>,
  userId = process.getuid?.() ?? -1,
): string | undefined {
  const folders = (env.PATH ?? '').split(delimiter);
  const missing = Object.keys(PROGRAMS).filter(
    (name) => !folders.some((folder) => isProgram(join(folder, name))),
  );
  if (missing.length > 0) {
    const packages = [...new Set(missing.map((name) => PROGRAMS[name]))].join(' ');
    return `images are built and run without an engine by ${missing.join(', ')}: apt-get install ${packages}`;
  }
  if (userId !== 0)
    return 'images are built and run in namespaces of their own, which needs root: run it as root';
  return undefined;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
