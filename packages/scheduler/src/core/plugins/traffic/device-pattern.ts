/** A comma that is not part of a repetition such as `{1,2}`. */
const SEPARATOR = /,(?![^{]*\})/;

/** An anchored regular expression for a device, a comma list of devices, or a regular expression. */
export function devicePattern(deviceName: string): string {
  const parts = deviceName
    .split(SEPARATOR)
    .map((part) => part.trim())
    .filter((part) => part !== '');
  return parts.join('|');
}

/** Why it is none; what is certainly wrong, for Prometheus' dialect is not quite ours. */
export function deviceProblem(deviceName: string): string | undefined {
  const pattern = devicePattern(deviceName);
  if (pattern === '')
    return `"${deviceName}" names no device: give one, a comma list or a regular expression`;
  try {
    new RegExp(pattern);
    return undefined;
  } catch {
    return `"${deviceName}" is neither a device, a comma list of devices nor a regular expression`;
  }
}
