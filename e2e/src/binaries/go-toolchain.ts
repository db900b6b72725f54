import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const LEAST = { major: 1, minor: 26 };

/** @param folder a module's: an older Go may fetch the version that go.mod asks for. @throws Error that says what to install. */
export async function requireGo(
  env: Readonly<Record<string, string | undefined>>,
  folder: string,
): Promise<void> {
  const remedy = `the control plane is built from source: install Go ${LEAST.major}.${LEAST.minor} or later (https://go.dev/dl) and put it on the PATH`;
  const answer = await promisify(execFile)('go', ['env', 'GOVERSION'], { env, cwd: folder }).catch(
    (error: Error) => {
      throw new Error(`there is no usable Go (${error.message}): ${remedy}`);
    },
  );
  const version = answer.stdout.trim();
  const [, major = '0', minor = '0'] = /^go(\d+)\.(\d+)/.exec(version) ?? [];
  const isEnough =
    Number(major) > LEAST.major || (Number(major) === LEAST.major && Number(minor) >= LEAST.minor);
  if (!isEnough)
    throw new Error(`${version === '' ? 'an unknown version of Go' : version} is too old: ${remedy}`);
}
