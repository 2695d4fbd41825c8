/** Key of a block of the texts that a search looks through; they count from 0. */
export const textsKey = (block: number): string => `t${block}`

/** Stands between the texts of two rows. */
export const END_OF_ROW = '\u0001'

/** The rows' texts of a block as its script holds it. Rejects where it is damaged. */
export const readTextBlock = async (packed: string): Promise<readonly string[]> => {
  const binary = atob(packed)
  const bytes = new Uint8Array(binary.length)
  for (let at = 0; at < binary.length; at += 1) bytes[at] = binary.charCodeAt(at)
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'))
  return (await new Response(stream).text()).split(END_OF_ROW)
}
