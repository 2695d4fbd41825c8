import { readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { execaSync } from 'execa'
import { expect, it } from 'vitest'
import { packageRoot } from '../cache/package-root.ts'
import { VERBS } from '../tools/cli/verbs.ts'

const root = packageRoot()
const read = (file: string): string => readFileSync(join(root, file), 'utf8')
const tracked = execaSync('git', ['ls-files'], { cwd: root }).stdout.split('\n')
const documents = tracked.filter((file) => file.endsWith('.md') && !file.startsWith('test/'))

/** HELM's names of our verbs. */
const PROGRAMS: Readonly<Record<string, string>> = {
  'helm-run': 'run',
  'helm-summarize': 'summarize',
  'helm-server': 'serve',
}
const FLAG = /(?<![\w-])--?[a-z][a-z-]*/gi

/** Commands of a text that name flags which their verb does not have, whatever stands before and behind them. */
const misnamed = (text: string): readonly string[] =>
  [...text.matchAll(/(?<![\w./-])(medmake (?=[a-z])|helm-(?:run|summarize|server) )([^`'\n]*)/g)].flatMap(
    ([, program = '', rest = '']) => {
      const [first = ''] = rest.split(' ')
      const verb = VERBS.find(({ name }) => name === (PROGRAMS[program.trim()] ?? first))
      if (verb === undefined) return []
      const known = Object.keys({ ...verb.flags, ...verb.hidden }).flatMap((flags) => flags.match(FLAG) ?? [])
      const [command = ''] = rest.split(/&&|[|#;→]/)
      const given = command.replaceAll(/"[^"]*"/g, '').match(FLAG) ?? []
      return given
        .filter((flag) => ![...known, '--help'].includes(flag))
        .map((flag) => `${verb.name} ${flag}`)
    },
  )

it.each([...documents, ...tracked.filter((file) => /^tools\/init\/.*(?:ya?ml|file)$|verb\.ts$/i.test(file))])(
  '%s names no flag that its command does not take',
  (file) => expect(misnamed(read(file))).toEqual([]),
)

it('remedies and pages name no flag that their command does not take', () => {
  const code = tracked.filter((file) => /^(?:benchmarks|cache|models|targets|tools)\/.*\.tsx?$/.test(file))
  expect(code.flatMap((file) => misnamed(read(file)).map((what) => `${file}: ${what}`))).toEqual([])
})

it.each(documents)('%s links to files that are there', (file) => {
  const links = [...read(file).matchAll(/\]\((?!https?:)([^)#]+)/g)].flatMap(([, to]) => to ?? [])
  const known = links.filter((to) => tracked.includes(join(dirname(file), to)))
  expect(known).toEqual(links)
})

it.each(documents)('%s names nothing in a file that is not there', (file) => {
  const named = [
    ...read(file).matchAll(
      /`(\w+)` (?:of [\w ]+ )?in `((?:cache|benchmarks|models|targets|tools)\/[\w/.-]+\.\w+)`/g,
    ),
  ]
  const lost = named.filter(
    ([, name = '', path = '']) => !tracked.includes(path) || !new RegExp(`\\b${name}\\b`).test(read(path)),
  )
  expect(lost.map(([text]) => text)).toEqual([])
})

it.each(['benchmarks', 'cache', 'models', 'targets', 'tools'])(
  'the README of %s/ tells of each of its folders',
  (room) => {
    const readme = read(`${room}/README.md`)
    const parts = tracked.map((file) => file.split('/')).filter(([own, , inside]) => own === room && inside)
    const folders = [...new Set(parts.map(([, folder]) => folder))]
    expect(folders.filter((folder) => readme.includes(`\`${folder}/`))).toEqual(folders)
  },
)

it('the README says of each package that the program imports why', () => {
  const code = tracked.filter((file) =>
    /^(?:benchmarks|cache|models|targets|tools)\/(?!build\/).*\.tsx?$/.test(file),
  )
  const imports = /^import (?!type)[^'"]*from '((?:@[\w-]+\/)?[\w-]+)/gm
  const imported = new Set(code.flatMap((file) => [...read(file).matchAll(imports)].map(([, name]) => name)))
  const { dependencies, devDependencies } = JSON.parse(read('package.json')) as Record<string, object>
  const used = Object.keys({ ...dependencies, ...devDependencies }).filter((name) => imported.has(name))
  expect(used.length).toBeGreaterThan(20)
  const [, table = ''] = read('README.md').split('## Dependencies')
  expect(used.filter((name) => !table.includes(name))).toEqual([])
})

it.each(tracked.filter((file) => /^tools\/nx\/(?:benchmark|init|model)\.schema\.json$/.test(file)))(
  'the help of the generator by %s says what it does',
  (file) => {
    const { generators } = JSON.parse(read('tools/nx/generators.json')) as {
      readonly generators: Readonly<Record<string, { readonly description: string }>>
    }
    const name = basename(file).split('.')[0] ?? ''
    expect(JSON.parse(read(file))).toMatchObject({ description: generators[name]?.description })
  },
)
