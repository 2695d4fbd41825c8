/** What a quoted text of code may name: a path, or what one begins as. */
export interface NamedPath {
  readonly parts: readonly string[]
  /** More is put behind it: `./age-${n}`, `'./tables/' + name`, `join('tables', name)`. */
  readonly isBegun: boolean
  /** Its call reads files or joins paths: no other text. */
  readonly isPath: boolean
}

/** A quoted text that begins as a relative path, up to its end or to a part that is put in. */
const RELATIVE = /['"`](\.{1,2}\/[^'"`\n$]*)/g
/** What is put behind a folder: `${dir}/a.txt`, `dir + '/a.txt'`, `join(dir, 'lists', 'a.txt')`. No list of words is read in one. */
const BEHIND = /(?:[}'"`]\/|,\s*['"`])((?:[^'"`\n$\\]|['"`]\s*,\s*['"`]){1,300})/g
/** What a call that takes paths is given first, or behind the folder that the process is in. */
const CALLED =
  /\b(URL|join|resolve|read(?:File|dir)\w*|createReadStream|open\w*)\(\s*(?:process\.cwd\(\)\s*,\s*)?['"`]((?:[^'"`\n$\\/]|['"`]\s*,\s*['"`])(?:[^'"`\n$\\]|['"`]\s*,\s*['"`]){0,300})/g
const BETWEEN = /['"`]\s*,\s*['"`]/
const BEGUN = /^(?:\$|['"`]\s*(?:\+|(,)\s*[\w`]))/
const IN_URL = /\bURL\(\s*$/
/** A quoted name with an ending, as in `join(import.meta.dirname, 'lists/stop words.txt')`. */
const BESIDE = /['"`]([^'"`\n$./\\][^'"`\n$\\]*\.\w{1,10})['"`]/g
/** A name in the place of an import's. */
const IMPORTED = /(?:\bfrom\s*|\bimport\s*\(?\s*|\brequire\s*\(\s*)['"`]([^'"`\n$]+)['"`]/g
/** A text that has a name of its own, which may be that of a folder. */
const CONSTANT = /\bconst\s+\w+\s*=\s*['"`]([^'"`\n$.\\]{1,100})['"`]/g

const URL_HERE = String.raw`new URL\(\s*['"\`]\./?['"\`]\s*,\s*`
const META = String.raw`import\.meta\.(?:dirname|url)\b|__dirname\b`
/** What a variable is that holds the code's own folder. */
const OWN = new RegExp(
  String.raw`\b(\w{1,60})\s*(?::\s*\w{1,60}\s*)?=\s*(?:(?:\w{1,60}\.)?(?:dirname|fileURLToPath)\(\s*|${URL_HERE}){0,3}(?:${META})`,
  'g',
)

const firsts = (text: string, pattern: RegExp): readonly string[] =>
  [...text.matchAll(pattern)].map(([, first = '']) => first)

/** Each quoted text that begins with `./` or `../`. */
export const relativePaths = (text: string): readonly NamedPath[] =>
  [...text.matchAll(RELATIVE)].map((match) => ({ ...read(text, match, match[1]), isPath: true }))

/** Each quoted text that may be a path seen from some folder. */
export const innerPaths = (text: string): readonly NamedPath[] => [
  ...[...text.matchAll(BEHIND)].map((match) => ({ ...read(text, match, match[1]), isPath: false })),
  ...[...text.matchAll(CALLED)].map((match) => ({
    ...read(text, match, match[2]),
    // Of a server's address nothing lies here.
    isPath: match[1] !== 'URL',
  })),
]

const read = (text: string, { index, 0: { length } }: RegExpExecArray, path = '') => {
  const end = index + length
  const begun = BEGUN.exec(text.slice(end, end + 40))
  // What is given behind is what a URL is seen from.
  const isSeenFrom =
    begun?.[1] === ',' && IN_URL.test(text.slice(Math.max(0, index - 20), end - path.length - 1))
  return { parts: path.split(BETWEEN), isBegun: begun !== null && !isSeenFrom }
}

export const besideNames = (text: string): readonly string[] => firsts(text, BESIDE)

export const importedNames = (text: string): readonly string[] => firsts(text, IMPORTED)

export const constants = (text: string): readonly string[] => firsts(text, CONSTANT)

/** Whether names are put together, or listed, in the code's own folder, by whatever name it has there. */
export const readsOwnFolder = (text: string): boolean => {
  const own = String.raw`(?<![\w.])(?:${[META, ...firsts(text, OWN)].join('|')})`
  const folder = own.replace('(?:dirname|url)', 'dirname')
  return new RegExp(
    [
      String.raw`${folder}(?:\}/[^\`]*\$|\s*,\s*(?:[\`\w]|['"][^'"\n]*['"]\s*\+)|\s*\+\s*(?:['"][^'"\n]*['"]\s*\+\s*)?[\w\`])`,
      String.raw`\b(?:read|open)dir\w*\(\s*(?:${URL_HERE})?${own}`,
      String.raw`\bnew URL\(\s*(?!['"\`][^'"\`\n$]*['"\`]\s*,)[^,\n]{1,200},\s*${own}`,
    ].join('|'),
  ).test(text)
}
