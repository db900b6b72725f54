import { podLimits } from '../node-statistics/pod-limits.js';
import type { NodeAmounts } from './node-amounts.js';
import type { PodInfo } from './pod-info.js';

/** Whether a node holding `a` looks the same to every plugin as one holding `b`: most pod updates change nothing. */
export function sameFootprint(a: PodInfo, b: PodInfo): boolean {
  return (
    sameAmounts(a.requests, b.requests) &&
    a.nonZeroCpuMilli === b.nonZeroCpuMilli &&
    a.nonZeroMemoryBytes === b.nonZeroMemoryBytes &&
    a.priority === b.priority &&
    sameText(a.cpuDemand.parts.map(partText), b.cpuDemand.parts.map(partText)) &&
    a.cpuDemand.overheadMilli === b.cpuDemand.overheadMilli &&
    podLimits(a).memoryBytes === podLimits(b).memoryBytes &&
    sameText(a.ports.map(portText), b.ports.map(portText)) &&
    sameText(a.requiredAntiAffinity.map(signature), b.requiredAntiAffinity.map(signature)) &&
    sameText(Object.entries(a.labels).map(labelText), Object.entries(b.labels).map(labelText))
  );
}

function sameAmounts(a: NodeAmounts, b: NodeAmounts): boolean {
  return (
    a.cpuMilli === b.cpuMilli &&
    a.memoryBytes === b.memoryBytes &&
    a.ephemeralStorageBytes === b.ephemeralStorageBytes &&
    a.others.size === b.others.size &&
    [...a.others].every(([name, amount]) => b.others.get(name) === amount)
  );
}

function sameText(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((text, index) => text === b[index]);
}

const partText = (part: PodInfo['cpuDemand']['parts'][number]): string =>
  `${part.limitMilli ?? '-'} ${part.requestMilli ?? '-'}`;
const portText = (port: PodInfo['ports'][number]): string => `${port.protocol} ${port.ip} ${port.port}`;
const signature = (term: PodInfo['requiredAntiAffinity'][number]): string => term.signature;
const labelText = ([key, value]: [string, string]): string => `${key}=${value}`;
