/**
 * The words that this project has given up, and their replacements (docs/GLOSSARY.md). The check refuses the old words,
 * so that they do not return: all of them in the code's names, and the unmistakable ones in any text.
 */
export const OLD_NAMES: ReadonlyArray<{ readonly words: readonly string[]; readonly now: string }> = [
  { words: ['door', 'doors'], now: 'api, routes' },
  { words: ['deed', 'deeds'], now: 'ModerationLogEntry, action' },
  { words: ['standing', 'standings'], now: 'MemberContext, RecipientStatus, status' },
  { words: ['wish', 'wishes', 'wished'], now: 'request, requested' },
  { words: ['errand', 'errands'], now: 'handler' },
  { words: ['rehearse', 'rehearsed', 'rehearsal', 'rehearsing'], now: 'dryRun' },
  { words: ['tally', 'tallies'], now: 'messageTips' },
  { words: ['parked', 'parking'], now: 'unclaimed (a tip), deadLettered (a callback)' },
  { words: ['oversight'], now: 'audit, alerts, adjustments, administration' },
  { words: ['exits'], now: 'outgoingSwitch' },
  { words: ['desk'], now: 'pending, wallet' },
  { words: ['surroundings'], now: 'runtime' },
  { words: ['declined', 'declining'], now: 'CommandRefusal' },
  { words: ['alarm', 'alarms'], now: 'alert' },
  { words: ['patience'], now: 'timeout, TIMEOUT_, ALERT_AFTER_' },
  { words: ['watcher', 'watchers'], now: 'poller, observers' },
]

/** The old words that may be keys, since databases store these values. */
export const STORED_VALUES = ['kept', 'parked', 'tally', 'exits']

/** The old names that are refused as a whole, with their replacements. */
export const OLD_EXACT_NAMES: Readonly<Record<string, string>> = {
  Words: 'Translator',
  createWords: 'createTranslators',
  wordsFor: 'translatorFor',
  Worth: 'FiatValue',
  Kept: 'what is kept: CachedAnswer, …',
  Face: 'CardRenderer',
  faces: 'cardRenderers',
  Watch: 'PollJob',
  Look: 'Poll',
  Visit: 'PageRequest',
  Performance: 'OperationRun',
  atMost: 'limitConcurrency',
  SecondWord: 'Confirmation',
  askFirst: 'requireConfirmation',
  AskedTip: 'PendingTip',
  mustBeOpen: 'assertOutgoingEnabled',
  AT_ONCE: 'MAX_CONCURRENT or BATCH_SIZE',
  Refusal: 'TippingRefusal, ServiceRefusal, …',
  Answer: 'AnswerMode, ApiAnswer, …',
  World: 'PlaygroundWorld, DiscordWorld, …',
  Place: 'InteractionContext, MessageRef, …',
  Payable: 'PayableInvoice, PayableName, …',
  Change: 'LedgerChange, EndChange',
  Proposal: 'ProposedDecision, SendProposal',
}

/** The old beginnings of names, with their replacements. */
export const OLD_PREFIXES: Readonly<Record<string, string>> = {
  MOST_: 'MAX_',
  LONGEST_: 'MAX_',
  SHORTEST_: 'MIN_',
  LEAST_: 'MIN_',
  lookAt: 'poll',
  KEPT_: 'RETENTION_, CACHE_TTL_',
  BELIEVED_: 'CACHE_TTL_',
  kept: 'notSent, cached, retained, stored, pending',
}

/** The old texts that are refused in code, comments, schemas and documents, with their replacements. */
export const OLD_TEXTS: ReadonlyArray<{ readonly old: RegExp; readonly now: string }> = [
  { old: /\bwords\.say\b/, now: 't' },
  { old: /\bsecond word\b/i, now: 'confirmation' },
  { old: /\boversight\b/i, now: 'audit, alerts, adjustments, administration' },
  { old: /\brehears/i, now: 'dry run' },
  { old: /\bbot\/words\b/, now: 'bot/i18n' },
  { old: /\bparked (?:tip|share|callback)/i, now: 'unclaimed tip, dead-lettered callback' },
  { old: /\bwhoever\b/i, now: 'the person who, anybody who, no matter who' },
  { old: /\banew\b/i, now: 'again' },
  { old: /\bfor ever\b/i, now: 'forever, always' },
  { old: /\bpublic doors?\b/i, now: 'API, routes' },
]

/** The files that may contain the old words: this list, its test, the glossary, and the changelog. */
export const MAY_NAME_OLD_WORDS = [
  'scripts/house-rules/old-words.ts',
  'test/house-rules.test.ts',
  'docs/GLOSSARY.md',
  'CHANGELOG.md',
]
