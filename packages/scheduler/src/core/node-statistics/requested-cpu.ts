import { type Container, type Int64, type Pod, parseQuantity, quantityMilliValue } from '@catamaran/model';

/**
 * CPU that a pod requests, milli, as kube-scheduler reads one resource of a pod: exact quantities are added, and the
 * sum is rounded up once. Overhead counts only on top of a request; limits never do.
 */
export function requestedCpuMilli({ spec }: Pod): Int64 {
  const podLevel = spec.resources?.requests?.cpu;
  const nano = podLevel === undefined ? mostAtOnce(spec) : nanoOf(podLevel);
  const total = nano === 0n ? nano : nano + nanoOf(spec.overhead?.cpu);
  return quantityMilliValue({ nano: total, format: 'decimalSI' });
}

function mostAtOnce({ containers = [], initContainers = [] }: Pod['spec']): bigint {
  let running = 0n;
  for (const container of containers) running += requestOf(container);
  let sidecars = 0n;
  let peak = 0n;
  for (const container of initContainers) {
    const together = requestOf(container) + sidecars;
    if (container.restartPolicy === 'Always') sidecars = together;
    if (together > peak) peak = together;
  }
  return running + sidecars > peak ? running + sidecars : peak;
}

function requestOf({ resources }: Container): bigint {
  return nanoOf(resources?.requests?.cpu);
}

/** 0 for what is absent or no quantity. */
function nanoOf(quantity: unknown): bigint {
  const parsed = parseQuantity(quantity);
  return parsed.ok && parsed.value.nano > 0n ? parsed.value.nano : 0n;
}
