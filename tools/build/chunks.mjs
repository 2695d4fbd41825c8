// Which code lies together in dist/. Left to itself a bundler makes a chunk of whatever the same entries share: 133 files
// to open for a run, and opening one costs more than reading it. So what always loads together is one chunk, the most
// urgent first: a group takes what its files import and no earlier group has.
const GROUPS = [
  // Before all else, and by itself.
  ['first', /tools\/cli\/keep-compiled\.ts$/],
  // What calls `import()`, which a script from the code cache can't.
  ['import', /user-code\/import-file\.ts$|sql\/load-sqlite\.ts$/],
  ['start', /tools\/cli\/start\.ts$/],
  // A process a Parquet file starts most often, and needs least.
  ['file', /problems\/format-error\.ts$|cache\/files\/read\.ts$/],
  // Threads start often and need little.
  ['thread', /write\/display-files\.ts$|sql\/engine\.ts$/],
  // What Nx asks each time it makes its graph.
  ['plan', /tools\/nx\/(?:declarations|kept-token|pairs\/(?:workspace-pairs|pair-\w+|part-projects))\.ts$/],
  ['run', /tools\/cli\/run\/action\.ts$/],
  ['report', /tools\/cli\/report\/action\.ts$/],
]

export const codeSplitting = {
  groups: GROUPS.map(([name, test], index) => ({ name, test, priority: GROUPS.length - index })),
}
