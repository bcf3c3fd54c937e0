import { createHash } from 'node:crypto'
import { type Mutant, nameOf } from './mutant.ts'

/**
 * Cuts the mutants, in the order in which they stand in the code, into as many equal stretches as the sample is large
 * and draws one from each: every mutant is as likely as any other, and no file is left out by chance. The same code and
 * seed give the same sample.
 */
export function drawSample<T extends Mutant>(mutants: readonly T[], size: number, seed: string): T[] {
  const inOrder = mutants.toSorted(
    (one, other) =>
      one.fileName.localeCompare(other.fileName) ||
      one.location.start.line - other.location.start.line ||
      one.location.start.column - other.location.start.column ||
      nameOf(one).localeCompare(nameOf(other)),
  )
  if (size >= inOrder.length) return inOrder
  return Array.from({ length: size }, (_, stretch) => {
    const from = Math.floor((stretch * inOrder.length) / size)
    const to = Math.floor(((stretch + 1) * inOrder.length) / size)
    const drawn = inOrder.slice(from, to).toSorted((one, other) => lot(one, seed) - lot(other, seed))[0]
    if (drawn === undefined) throw new RangeError(`a sample of ${size} has an empty stretch`)
    return drawn
  })
}

function lot(mutant: Mutant, seed: string): number {
  return createHash('sha256')
    .update(`${seed}\n${nameOf(mutant)}`)
    .digest()
    .readUIntBE(0, 6)
}
