import { expect, test } from 'vitest';

import { refuseRoot } from './root-folder.mjs';

test.for(['#', '?', '*'])('a folder with %s in its path is refused in a sentence', (character) => {
  expect(() => refuseRoot(`/home/a${character}`)).toThrow(
    `The site cannot be built in /home/a${character}: move it to a folder without "${character}" in its path.`,
  );
});

test.for(['/home/j.holt/site', '/Users/Zoë Müller/100% site (2)'])(
  'the folder %s is accepted',
  (path) => {
    expect(() => refuseRoot(path)).not.toThrow();
  },
);
