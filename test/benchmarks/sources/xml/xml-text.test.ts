import { describe, expect, test } from 'vitest'
import { elementOf, ownText, xmlTree } from '../../../../benchmarks/sources/xml/xml-tree.ts'
import { problemOf } from '../../../rig/problem-of.ts'

const read = (bytes: Uint8Array): string | undefined => ownText(xmlTree(bytes, 'x.xml'))
const utf8 = (text: string): Uint8Array => Buffer.from(text)
const bigEndian = (text: string): Uint8Array => Buffer.from(text, 'utf16le').swap16()
const named = (encoding: string): string => `<?xml version="1.0" encoding="${encoding}"?>`

/** As Python's xml.etree.ElementTree reads the same bytes. */
test.each([
  ['UTF-8', utf8('<a>café</a>'), 'café'],
  ['UTF-8 with a mark', utf8('\ufeff<a>café</a>'), 'café'],
  ['UTF-16 with a mark', Buffer.from(`\ufeff${named('UTF-16')}<a>café</a>`, 'utf16le'), 'café'],
  ['UTF-16 of the other order', bigEndian(`\ufeff${named('UTF-16')}<a>café</a>`), 'café'],
  ['UTF-16 that says nothing', Buffer.from('<a>café</a>', 'utf16le'), 'café'],
  ['ISO-8859-1', Buffer.from(`${named('ISO-8859-1')}<a>café\x93</a>`, 'latin1'), 'café\x93'],
  ['windows-1252', Buffer.from(`${named('windows-1252')}<a>\x93café\x94</a>`, 'latin1'), '“café”'],
  [
    'a name that outdoes the mark',
    Buffer.from(`\xef\xbb\xbf${named('latin1')}<a>\xc3\xa9</a>`, 'latin1'),
    'Ã©',
  ],
])('A file in %s is read.', (_, bytes, wanted) => {
  expect(read(bytes)).toBe(wanted)
})

test.each([
  ['an encoding that is none', utf8(`${named('bogus')}<a/>`)],
  ['bytes that are no UTF-8', Buffer.from('<a>\xe9</a>', 'latin1')],
  ['a byte that windows-1252 lacks', Buffer.from(`${named('windows-1252')}<a>\x81</a>`, 'latin1')],
])('A file with %s is refused.', async (_, bytes) => {
  expect(await problemOf(() => xmlTree(bytes, 'x.xml'))).toMatchObject({
    code: expect.stringMatching(/xml|utf8/) as string,
    where: { file: 'x.xml', line: 1 },
  })
})

const document = (subset: string, body: string): Uint8Array => utf8(`<!DOCTYPE a [${subset}]><a>${body}</a>`)

describe('a document’s own DTD', () => {
  test.each([
    ['<!ENTITY h "St. &quot;M&quot;">', 'at &h;, &#65;', 'at St. "M", A'],
    ['<!ENTITY a "x&b;y"><!ENTITY b "B">', '&a;', 'xBy'],
    ['<!ENTITY a "1"><!ENTITY a "2">', '&a;', '1'],
    ['<!ENTITY a "z">', '<![CDATA[&a;]]>&a;<!-- &a; -->', '&a;z'],
    ['<!ENTITY a "t<b/>u">', 'x&a;y', 'xt'],
    ['<!ENTITY a "&#38;#38;">', '&a;', '&'],
    ['<!-- <!ENTITY a "no"> ] > --><!ENTITY a "yes">', '&a;', 'yes'],
  ])('%s gives %s as %s', (subset, body, wanted) => {
    expect(read(document(subset, body))).toBe(wanted)
  })

  test('gives attributes their defaults and cuts blanks of words', () => {
    const bytes = document(
      '<!ENTITY m "m&quot;t"><!ATTLIST b met CDATA "met" id NMTOKEN #IMPLIED>',
      '<b id=" 7 "/><c x="&m;"/>',
    )
    const root = xmlTree(bytes, 'x.xml')
    expect(elementOf(root, 'b')?.attributes).toEqual({ met: 'met', id: '7' })
    expect(elementOf(root, 'c')?.attributes).toEqual({ x: 'm"t' })
  })

  test.each([
    ['no other file', '<!ENTITY a SYSTEM "file:///etc/passwd">'],
    ['no entity that refers to itself', '<!ENTITY a "&b;"><!ENTITY b "&a;">'],
    [
      'no billion of characters',
      `<!ENTITY z "zzzzzzzzzz">${'abcdefghi'.replace(/./g, (name) => `<!ENTITY ${name} "${`&${name === 'i' ? 'z' : String.fromCharCode(name.charCodeAt(0) + 1)};`.repeat(10)}">`)}`,
    ],
    ['nothing that it lacks', '<!ENTITY other "">'],
  ])('brings in %s', async (_, subset) => {
    expect(await problemOf(() => xmlTree(document(subset, '&a;'), 'x.xml'))).toMatchObject({
      code: 'benchmarks/xml',
    })
  })
})
