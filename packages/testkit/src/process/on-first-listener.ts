/**
 * A module for `--import`: runs `act` once, the moment SIGTERM has a listener.
 *
 * @param act JavaScript; the signal's name stands in `name`.
 */
export function onFirstListener(act: string): string {
  const module = `const on = process.on.bind(process); let acted = false;
    process.on = (name, listener) => {
      on(name, listener);
      if (name === 'SIGTERM' && !acted) { acted = true; ${act}; }
      return process;
    };`;
  return `data:text/javascript,${encodeURIComponent(module)}`;
}
