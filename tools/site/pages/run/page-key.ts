/** Key of the chunk that holds a page of instances; pages count from 0. */
export const pageKey = (page: number): string => `p${page}`
