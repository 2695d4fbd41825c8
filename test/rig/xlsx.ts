import { strToU8, zipSync } from 'fflate'

/**
 * A workbook of the given sheet rows (XML) and what follows them, shared strings (XML of `<si>` elements) and cell formats;
 * before its sheet one that is hidden, where its rows are given.
 */
export const workbook = (parts: {
  readonly rows: string
  readonly after?: string
  readonly hidden?: string
  /** What stands before its sheets, and whether the first of them is a chart. */
  readonly before?: string
  readonly chart?: true
  readonly strings?: string
  readonly formats?: string
}): Uint8Array =>
  zipSync({
    '[Content_Types].xml': strToU8(CONTENT_TYPES),
    '_rels/.rels': strToU8(relations('officeDocument', 'xl/workbook.xml')),
    'xl/workbook.xml': strToU8(
      `<workbook ${MAIN} ${RELATIONS}>${parts.before ?? ''}<sheets>${parts.chart === undefined ? '' : '<sheet name="chart" sheetId="3" r:id="rId5"/>'}${parts.hidden === undefined ? '' : '<sheet name="codes" sheetId="2" state="hidden" r:id="rId4"/>'}<sheet name="first" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    ),
    'xl/_rels/workbook.xml.rels': strToU8(
      `<Relationships ${PACKAGE}>${relation(1, 'worksheet', 'worksheets/sheet1.xml')}${relation(2, 'sharedStrings', 'sharedStrings.xml')}${relation(3, 'styles', 'styles.xml')}${relation(4, 'worksheet', 'worksheets/sheet2.xml')}${relation(5, 'chartsheet', 'chartsheets/sheet1.xml')}</Relationships>`,
    ),
    'xl/worksheets/sheet1.xml': strToU8(
      `<worksheet ${MAIN}><sheetData>${parts.rows}</sheetData>${parts.after ?? ''}</worksheet>`,
    ),
    'xl/worksheets/sheet2.xml': strToU8(
      `<worksheet ${MAIN}><sheetData>${parts.hidden ?? ''}</sheetData></worksheet>`,
    ),
    'xl/sharedStrings.xml': strToU8(`<sst ${MAIN}>${parts.strings ?? ''}</sst>`),
    'xl/styles.xml': strToU8(
      `<styleSheet ${MAIN}><fonts><font/></fonts><fills><fill><patternFill/></fill></fills><borders><border/></borders><cellStyleXfs><xf/></cellStyleXfs><cellXfs>${parts.formats ?? '<xf numFmtId="0"/>'}</cellXfs></styleSheet>`,
    ),
  })

const MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const RELATIONS = `xmlns:r="${OFFICE}"`
const PACKAGE = 'xmlns="http://schemas.openxmlformats.org/package/2006/relationships"'
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

const relation = (id: number, kind: string, target: string): string =>
  `<Relationship Id="rId${id}" Type="${OFFICE}/${kind}" Target="${target}"/>`
const relations = (kind: string, target: string): string =>
  `<Relationships ${PACKAGE}>${relation(1, kind, target)}</Relationships>`

const CONTENT_TYPES =
  '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">' +
  '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
  `<Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/>` +
  `<Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPE}.worksheet+xml"/>` +
  `<Override PartName="/xl/sharedStrings.xml" ContentType="${TYPE}.sharedStrings+xml"/>` +
  `<Override PartName="/xl/styles.xml" ContentType="${TYPE}.styles+xml"/></Types>`
