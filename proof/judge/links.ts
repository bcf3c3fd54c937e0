import type { Moment, Span } from './moments.ts'
import { isBefore } from './moments.ts'

/** A member's choice of where their sats go; `user` is null where they chose nothing. */
interface Choice {
  readonly user: string | null
  readonly span: Span
  /** Nobody was told that it is done, but it may be. */
  readonly doubtful: boolean
}

/** Until when a member had what is known of them deleted; undefined: it may not be over. */
interface Deletion {
  readonly from: Moment
  to: Moment | undefined
}

/** Where members have their sats sent on to, as they said and were told. */
export class Links {
  readonly #words = new Map<string, Choice[]>()
  /** Links that members are making now: one may be done, though nobody was told yet. */
  readonly #underWay = new Map<string, Set<() => Set<string>>>()
  /** When each member had what is known of them deleted. */
  readonly #forgotten = new Map<string, Deletion[]>()
  /** Members whose link was frozen, because somebody else had their gamertag. */
  readonly frozen = new Set<string>()

  said(member: string, user: string | null, span: Span, doubtful = false): void {
    const words = this.#words.get(member) ?? []
    words.push({ user, span, doubtful })
    this.#words.set(member, words)
  }

  /** A member proves that a user is theirs: everybody else who had their sats sent on there loses the link. */
  proven(member: string, user: string, span: Span, doubtful: boolean): void {
    for (const [other, words] of this.#words) {
      if (other !== member && words.some((word) => word.user === user)) this.said(other, null, span, doubtful)
    }
    this.said(member, user, span, doubtful)
  }

  /**
   * Somebody begins to link; `users` lists the accounts that this may lead to by now. The result is to be called when
   * it has ended.
   */
  begins(member: string, users: () => Set<string>): () => void {
    const underWay = this.#underWay.get(member) ?? new Set()
    this.#underWay.set(member, underWay.add(users))
    return () => void underWay.delete(users)
  }

  /** A member has what is known of them deleted; what is given back is told when that was done, undefined where it may have been. */
  forgets(member: string, from: Moment): (to: Moment | undefined) => void {
    const deletion: Deletion = { from, to: undefined }
    this.#forgotten.set(member, [...(this.#forgotten.get(member) ?? []), deletion])
    return (to) => {
      deletion.to = to
    }
  }

  /** Whether a member has ever had what is known of them deleted, or may have. */
  hasForgotten(member: string): boolean {
    return this.#forgotten.has(member)
  }

  /** Whether the records may still name this user as one whom the member once chose. */
  mayRemember(member: string, user: string): boolean {
    const deletions = this.#forgotten.get(member) ?? []
    const words = (this.#words.get(member) ?? []).filter((word) => word.user === user)
    const isUnderWay = [...(this.#underWay.get(member) ?? [])].some((users) => users().has(user))
    const mayBe = ({ span }: Choice) =>
      deletions.every(({ from, to }) => to === undefined || span.to.order > from.order)
    return isUnderWay || words.some(mayBe)
  }

  /** Whether what is sent then for a member may go to this user. */
  mayGoTo(member: string, user: string, at: Moment): boolean {
    const words = this.#words.get(member) ?? []
    return words.some((word) => {
      if (word.user !== user || word.span.from.order > at.order) return false
      // A later word holds from its answer on; what was under way when it came may still leave before the next rest.
      return !words.some(
        (later) =>
          !later.doubtful && later.user !== user && isBefore(word.span, later.span) && later.span.to.rest < at.rest,
      )
    })
  }

  /**
   * The wallets that a member certainly had before this and that are still remembered, whether or not they have them
   * now. Members who have their data deleted are remembered with none of before.
   */
  everHad(member: string, { order }: Moment): Set<string> {
    const words = this.#words.get(member) ?? []
    const deletions = this.#forgotten.get(member) ?? []
    const isRemembered = ({ span }: Choice) =>
      deletions.every(({ to }) => to !== undefined && span.from.order > to.order)
    const had = words.filter((word) => !word.doubtful && word.span.to.order < order && isRemembered(word))
    return new Set(had.flatMap(({ user }) => user ?? []))
  }

  /** The one wallet that a member ever had, if they certainly had it before this; undefined where it may be another. */
  onlyWallet(member: string, before: Moment): string | undefined {
    if ((this.#underWay.get(member)?.size ?? 0) > 0) return undefined
    const [user, ...others] = new Set((this.#words.get(member) ?? []).flatMap((word) => word.user ?? []))
    return user !== undefined && others.length === 0 && this.everHad(member, before).has(user) ? user : undefined
  }

  /** Every user to whom a member's sats may be sent at some moment of a span. */
  usersIn(member: string, { from, to }: Span): Set<string> {
    const words = this.#words.get(member) ?? []
    const users = words.filter((word) => {
      if (word.user === null || word.span.from.order > to.order) return false
      return !words.some(
        (later) =>
          !later.doubtful &&
          later.user !== word.user &&
          isBefore(word.span, later.span) &&
          later.span.to.order < from.order,
      )
    })
    const underWay = [...(this.#underWay.get(member) ?? [])].flatMap((each) => [...each()])
    return new Set([...users.map(({ user }) => user as string), ...underWay])
  }

  /** Whether a member was certainly linked, to whomever, all the time between these. */
  isCertain(member: string, { from, to }: Pick<Span, 'from' | 'to'>): boolean {
    if (this.frozen.has(member)) return false
    const words = this.#words.get(member) ?? []
    return words.some(
      (word) =>
        word.user !== null &&
        !word.doubtful &&
        word.span.to.order < from.order &&
        !words.some(
          (other) =>
            other.user === null && other.span.to.order > word.span.from.order && other.span.from.order < to.order,
        ),
    )
  }

  /** Whether a member may have unlinked, or linked elsewhere, after this and by so many ms of the world's time. */
  mayHaveChanged(member: string, since: Moment, byMs: number): boolean {
    if (this.frozen.has(member)) return true
    return (this.#words.get(member) ?? []).some(({ span }) => span.to.order > since.order && span.from.ms < byMs)
  }
}
