import { expect, test } from 'vitest';

import { refuseRoot } from './root-folder.mjs';

test.for(['#', '?', '*'])('a folder with %s in its path is refused in a sentence', (character) => {
  expect(() => refuseRoot(`/home/j.holt/site ${character}2`)).toThrow(
    `The path /home/j.holt/site ${character}2 contains "${character}", with which the site cannot be built: move this folder to a path without #, ? and *.`,
  );
});

test.for(['/home/j.holt/site', '/Users/Zoë Müller/100% site (2)'])(
  'the folder %s is accepted',
  (path) => {
    expect(() => refuseRoot(path)).not.toThrow();
  },
);
