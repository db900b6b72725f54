import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

export interface CommandOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** What it wrote to stdout. @throws Error with the command and the end of what it said. */
export async function runCommand(
  command: string,
  args: readonly string[],
  options: CommandOptions = {},
): Promise<string> {
  const run = promisify(execFile)(command, args, { ...options, maxBuffer: 64 * 1024 * 1024 });
  const { stdout } = await run.catch(
    (error: Error & { readonly stdout?: string; readonly stderr?: string }) => {
      const said = `${error.stdout ?? ''}${error.stderr ?? ''}`.slice(-4000);
      throw new Error(`${command} ${args.slice(0, 4).join(' ')} … failed:\n${said || error.message}`);
    },
  );
  return stdout;
}
