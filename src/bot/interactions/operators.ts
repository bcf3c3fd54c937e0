import type { Asking } from './command.ts'

/** Operators are the administrators of the operators' own server, and only while they are in it. */
export function isOperator(
  { caller, guild }: Pick<Asking, 'caller' | 'guild'>,
  homeGuildId: string | undefined,
): boolean {
  return homeGuildId !== undefined && guild === homeGuildId && caller.administrator
}
