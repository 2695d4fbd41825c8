import { describe, expect, test } from 'vitest'
import { encodeQuery, hasMoreSql } from '../../../targets/sql/run-statement.ts'

describe('what follows a statement', () => {
  test.each(['', ' \t\r\n\f', '-- note', '-- note\n  ', '/* a */ /* b', '--\n--', '/**/'])(
    'is nothing to Python: %j',
    (tail) => expect(hasMoreSql(tail)).toBe(false),
  )

  test.each([';', ' ;', 'select 2', '-- note\nselect 2', '/* a */ x', '-', '/', '*/', '\v'])(
    'is another statement to Python: %j',
    (tail) => expect(hasMoreSql(tail)).toBe(true),
  )
})

describe('a query on its way to SQLite', () => {
  test('is UTF-8', () => {
    expect(encodeQuery('é', 10)).toEqual({ kind: 'bytes', bytes: new Uint8Array([0xc3, 0xa9]) })
  })

  test.each([
    ['a\0b', 10, 'ProgrammingError', 'the query contains a null character'],
    ['éé', 3, 'DataError', 'query string is too large'],
    [
      '😀\ud800',
      10,
      'UnicodeEncodeError',
      "'utf-8' codec can't encode character '\\ud800' in position 1: surrogates not allowed",
    ],
    [
      '\udc00\udc01',
      10,
      'UnicodeEncodeError',
      "'utf-8' codec can't encode characters in position 0-1: surrogates not allowed",
    ],
  ])('fails as in Python where it can be none: %j', (sql, longest, exception, message) => {
    expect(encodeQuery(sql, longest)).toEqual({ kind: 'error', exception, message })
  })
})
