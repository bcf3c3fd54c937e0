import type { ExportedData } from '../judge/privacy.ts'
import type { Actor, Stage } from './people.ts'

/** Members who get a copy of their data, or have their data deleted. */
export const privacy: Actor = {
  name: 'privacy',
  weight: 2,
  async act(stage) {
    const member = stage.member()
    if (stage.chance.happens(0.5)) await forget(stage, member)
    await exportData(stage, member)
  },
}

/** Deletes a member's data; their sats stay. */
export async function forget(stage: Stage, member: string): Promise<void> {
  const { judge, botBook } = stage.world
  const looked = judge.balances.looks(botBook, member)
  const open = await stage.insist<{ readonly id?: string; readonly available: bigint }>(
    `${member} looks at what is open`,
    (tipping) => tipping.privacy.open(member).then(({ available }) => ({ available })),
  )
  if ('done' in open) looked(open.done.available)
  const from = judge.now()
  const forgotten = [judge.links, judge.forwards].map((words) => words.forgets(member, from))
  const ending = await stage.insist(`${member} is forgotten`, ({ privacy }) => privacy.forget(member).then(() => ({})))
  const done = 'done' in ending
  for (const told of forgotten) told(done ? ending.span.to : undefined)
  judge.links.said(member, null, ending.span, !done)
  judge.forwards.said(member, null, ending.span, !done)
  judge.keepers.said(member, false, ending.span, !done)
}

/** Shows a member a copy of their data. */
export async function exportData(stage: Stage, member: string): Promise<void> {
  const copied = await stage.insist<{ readonly id?: string; readonly data: ExportedData }>(
    `${member} asks for a copy of their data`,
    ({ privacy }) => privacy.export(member).then((data) => ({ data: data as unknown as ExportedData })),
  )
  if ('done' in copied) stage.world.judge.privacy.exported(member, copied.done.data, copied.span)
}
