import { readdir, readFile, readlink } from 'node:fs/promises';

export interface ProcessUsage {
  readonly peakMebibytes: number;
  /** User and system time since it was started. */
  readonly cpuSeconds: number;
}

/** Of a process that still runs, from `/proc`. */
export async function usageOf(pid: number): Promise<ProcessUsage> {
  const [status, stat] = await Promise.all([
    readFile(`/proc/${pid}/status`, 'utf8'),
    readFile(`/proc/${pid}/stat`, 'utf8'),
  ]);
  const [, peakKi = 'NaN'] = /^VmHWM:\s+(\d+) kB$/m.exec(status) ?? [];
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = Number(fields[11]) + Number(fields[12]);
  return { peakMebibytes: Number(peakKi) / 1024, cpuSeconds: ticks / 100 };
}

/** Open descriptors of a process, and how many of them are sockets. */
export async function descriptorsOf(
  pid: number,
): Promise<{ readonly descriptors: number; readonly sockets: number }> {
  const names = await readdir(`/proc/${pid}/fd`);
  const targets = await Promise.all(
    // It may be closed by now.
    names.map((name) => readlink(`/proc/${pid}/fd/${name}`).catch(() => '')),
  );
  return {
    descriptors: names.length,
    sockets: targets.filter((target) => target.startsWith('socket:')).length,
  };
}
