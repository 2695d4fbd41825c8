import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { pythonPattern } from '../../../benchmarks/python/pattern.ts'

/** By Python 3.11; see patterns.py beside it. */
const { texts, found } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../fixtures/python/patterns.json'), 'utf8'),
) as { readonly texts: readonly string[]; readonly found: Readonly<Record<string, string | null>> }

const foundBy = (pattern: RegExp) =>
  texts.map((text) => {
    const match = pattern.exec(text)
    return match === null ? null : [match[0], match.length > 1 ? (match[1] ?? null) : null]
  })

test.each(Object.entries(found))(
  'The pattern %s finds in 60 texts what it finds in Python',
  (pattern, digest) => {
    if (digest === null) expect(() => pythonPattern(pattern)).toThrow(SyntaxError)
    else
      expect(
        createHash('sha256')
          .update(JSON.stringify(foundBy(pythonPattern(pattern))))
          .digest('hex')
          .slice(0, 16),
      ).toBe(digest)
  },
)

test.each(['(?a)x', 'a(?i)b', '(?i:a)', '(?>a)', 'a++', '(A)(?(1)b|c)', String.raw`\p{L}`, '[a', '(a', '*'])(
  'The pattern %s, which would find something else or nothing in Python, is refused',
  (pattern) => expect(() => pythonPattern(pattern)).toThrow(SyntaxError),
)
