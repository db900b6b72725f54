const OLDEST = [20, 19];

/** Ends the process with one clear message when Node.js is too old to run this project. */
export function refuseOldNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])) {
    process.stderr.write(
      `catamaran needs Node.js ${OLDEST.join('.')} or newer; this is ${process.versions.node} (${process.execPath}).\n`,
    );
    process.exit(1);
  }
}
