import { withheld } from '../../cache/problems/withheld.ts'

/** Whether HELM counts instances by it; any other may come from the data and name a patient. */
export const isCounted = (id: string): boolean => /^id\d+$/.test(id)

/** An instance's id as output may hold it, of a benchmark whose texts may not be shown. */
export const discreetId = (id: string): string => (isCounted(id) ? id : withheld(id))
