import { now, type ReadonlyBook } from '../core/context.ts'
import type { Tx } from '../core/database.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import { logModeration } from '../engine/moderation-log/log-moderation.ts'
import { operationRow } from '../engine/once-only/once-only.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import type { Split, SplitPart as StoredPart } from '../generated/client.ts'
import { mustBePayable } from '../rewards/payable-parts.ts'
import { readParts } from './read-parts.ts'
import {
  type CreateSplit,
  type EditSplit,
  MAX_SPLIT_NAME,
  MAX_SPLITS,
  type SplitDecision,
  type SplitPart,
  type SplitView,
} from './splits.ts'

/**
 * Creates a split. Throws TippingRefusal `split-name`, `split-exists`, `split-too-many`, or as `readParts` and
 * `mustBePayable` do.
 */
export async function createSplit(context: TippingContext, command: CreateSplit): Promise<SplitView> {
  const { guild, member, interaction } = command
  const name = readName(command.name)
  const parts = readParts(context, command)
  await mustBePayable(context, command, parts)
  const content = [guild, member, name, parts]
  const id = await context.once.perform({ interaction, verb: 'split', content }, async (digest) => {
    const [split, at] = [context.entropy.uuid(), now(context)]
    await context.commit({
      rows: [operationRow({ id: split, verb: 'split', record: split, interaction, digest, createdAt: at })],
      write: async (tx) => {
        const key = keyOf(name)
        if ((await tx.split.count({ where: { guild, key } })) > 0) throw new TippingRefusal('split-exists', { name })
        if ((await tx.split.count({ where: { guild } })) >= MAX_SPLITS)
          throw new TippingRefusal('split-too-many', { most: MAX_SPLITS })
        await tx.split.create({ data: { id: split, guild, name, key, member, createdAt: at } })
        await storeParts(tx, split, parts)
        await logModeration(context, tx, { guild, member, action: 'split', about: aboutOf(name, parts) })
      },
    })
    return split
  })
  return await viewSplit(context, guild, id)
}

/** Replaces a split's parts. Throws TippingRefusal `split-not-found`, or as `readParts` and `mustBePayable` do. */
export async function editSplit(context: TippingContext, command: EditSplit): Promise<SplitView> {
  const { guild, member, interaction } = command
  const { id } = await findSplit(context.database.read, guild, command.split)
  const parts = readParts(context, command)
  await mustBePayable(context, command, parts)
  await context.once.perform({ interaction, verb: 'split-edit', content: [id, member, parts] }, async (digest) => {
    const edit = context.entropy.uuid()
    await context.commit({
      rows: [
        operationRow({ id: edit, verb: 'split-edit', record: edit, interaction, digest, createdAt: now(context) }),
      ],
      write: async (tx) => {
        const { name } = await findSplit(tx, guild, id)
        await tx.split.update({ where: { id }, data: { member } })
        await tx.splitPart.deleteMany({ where: { splitId: id } })
        await storeParts(tx, id, parts)
        await logModeration(context, tx, { guild, member, action: 'split-changed', about: aboutOf(name, parts) })
      },
    })
    return edit
  })
  return await viewSplit(context, guild, id)
}

/** Deletes a split. Payments made according to the split stay as they are. Throws TippingRefusal `split-not-found`. */
export async function deleteSplit(context: TippingContext, { guild, member, split }: SplitDecision): Promise<void> {
  await context.commit({
    write: async (tx) => {
      const { id, name } = await findSplit(tx, guild, split)
      await tx.splitPart.deleteMany({ where: { splitId: id } })
      await tx.split.delete({ where: { id } })
      await logModeration(context, tx, { guild, member, action: 'split-deleted', about: { split: name } })
    },
  })
}

export async function listSplits(context: ReadonlyBook, guild: string): Promise<SplitView[]> {
  const found = await context.database.read.split.findMany({
    where: { guild },
    include: PARTS,
    orderBy: { key: 'asc' },
  })
  return found.map(view)
}

/** Returns a split by its id or its name. Throws TippingRefusal `split-not-found`. */
export async function viewSplit(context: ReadonlyBook, guild: string, split: string): Promise<SplitView> {
  return view(await findSplit(context.database.read, guild, split))
}

const PARTS = { parts: { orderBy: { ordinal: 'asc' } } } as const

type WithParts = Split & { readonly parts: readonly StoredPart[] }

async function findSplit(client: Pick<Tx, 'split'>, guild: string, split: string): Promise<WithParts> {
  const find = (which: { id: string } | { key: string }) =>
    client.split.findFirst({ where: { guild, ...which }, include: PARTS })
  // A split's name may equal another one's id.
  const found = (await find({ id: split })) ?? (await find({ key: keyOf(split) }))
  if (found === null) throw new TippingRefusal('split-not-found', { name: split })
  return found
}

function readName(text: string): string {
  const name = text.toWellFormed().replaceAll('\0', '').replaceAll(/\s+/g, ' ').trim()
  if (name === '' || name.length > MAX_SPLIT_NAME) throw new TippingRefusal('split-name', { most: MAX_SPLIT_NAME })
  return name
}

/** Returns a name's key, which is the same for spellings that differ only in case, spaces or Unicode forms. */
function keyOf(name: string): string {
  return name.toWellFormed().replaceAll('\0', '').normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ').trim()
}

async function storeParts(tx: Tx, splitId: string, parts: readonly SplitPart[]): Promise<void> {
  const data = parts.map((part, ordinal) => ({ splitId, ordinal, ...part, address: part.address ?? null }))
  await tx.splitPart.createMany({ data })
}

/** Returns the moderation log's facts about a split, without addresses, because the log's readers may not see them. */
function aboutOf(split: string, parts: readonly SplitPart[]) {
  return { split, parts: parts.map(({ recipient, share }) => ({ recipient, share })) }
}

function view({ id, name, member, parts }: WithParts): SplitView {
  return {
    ...{ id, name, member },
    parts: parts.map(({ recipient, address, share }) => ({ recipient, address: address ?? undefined, share })),
  }
}
