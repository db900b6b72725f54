/** What most clients send. */
const PLAIN = 'gzip';
const ELEMENT = /^\s*([\w!#$%&'*+.^`|~-]+)\s*((?:;[^;]*)*)$/;
const WEIGHT = /^\s*q\s*=\s*(\d(?:\.\d*)?)\s*$/i;

/**
 * Whether an Accept-Encoding takes gzip (RFC 9110, 12.5.3): named with a weight above 0, or, where it is not named, by
 * `*`. What is no element of such a list says nothing.
 */
export function acceptsGzip(header: string | undefined): boolean {
  if (header === undefined) return false;
  if (header === PLAIN) return true;
  let any = false;
  for (const element of header.split(',')) {
    const [, coding = '', parameters = ''] = ELEMENT.exec(element) ?? [];
    if (/^(?:x-)?gzip$/i.test(coding)) return weightOf(parameters) > 0;
    if (coding === '*') any = weightOf(parameters) > 0;
  }
  return any;
}

function weightOf(parameters: string): number {
  for (const parameter of parameters.split(';')) {
    const [, weight] = WEIGHT.exec(parameter) ?? [];
    if (weight !== undefined) return Number(weight);
  }
  return 1;
}
