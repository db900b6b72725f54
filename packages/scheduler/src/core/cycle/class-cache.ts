/** Keeps verdicts and scores by pod class between decisions. */
export class ClassCache {}
