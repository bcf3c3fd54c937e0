/** The client of the payments service: charges, payments, vouchers, and the wallet of a project. `npm run docs` makes this file from the OpenAPI document. */
import { ApiClient, type ApiFacts, type ClientOptions, type OperationOfApi } from '../api-client.ts'
import type { ApiAnswer, CallOptions } from '../call.ts'
import type { StreamEvent, StreamOptions } from '../event-stream.ts'

/** An amount in millisatoshis, as a string of digits. `BigInt(amount) / 1000n` is the amount in sats. */
export type Msats = string

/** The body of every answer that is not a success. */
export interface Error {
  readonly success: false
  /** A sentence for people. */
  readonly message: string
  /** A stable code; new codes may be added. */
  readonly code: string
}

export interface ProjectCharge {
  /** The id by which it is read. */
  readonly id: string
  /** Always `msats`: millisatoshis. */
  readonly unit: "msats"
  /** The amount that the payer pays, in msats. */
  readonly amount: Msats
  readonly status: "pending" | "completed" | "expired"
  /** What the payer sees. */
  readonly description: string
  /** When the charge was created. */
  readonly createdAt: string
  /** The charge cannot be paid after this. */
  readonly expiresAt: string
  /** When it was paid; null until then. */
  readonly confirmedAt: string | null
  /** The caller's own metadata. */
  readonly internalId: string
  /** The address to which updates are POSTed. */
  readonly callbackUrl: string
  readonly invoice: {
    /** BOLT11 invoice: what the QR code encodes. */
    readonly request: string
    /** The `lightning:` scheme, followed by the request. */
    readonly uri: string
  }
}

export interface Charge {
  /** Always `msats`: millisatoshis. */
  readonly unit: "msats"
  readonly status: "CHARGE_PENDING" | "CHARGE_COMPLETED" | "CHARGE_EXPIRED"
  /** The amount that the payer pays, in msats. */
  readonly amount: Msats
  /** When the charge was created. */
  readonly createdAt: string
  /** The caller's own metadata. */
  readonly internalId: string
  /** The address to which updates are POSTed. */
  readonly callbackUrl: string
  /** Note visible to the recipient. */
  readonly description: string
  /** BOLT11 invoice: what the QR code encodes. */
  readonly invoiceRequest: string
  /** The charge cannot be paid after this. */
  readonly invoiceExpiresAt: string
  /** The SHA-256 of the description, in hex, if the invoice contains only that. */
  readonly invoiceDescriptionHash: string | null
  /** Additive. The id by which the charge can be read. */
  readonly id: string
}

export interface ChargeRecord {
  /** Always `msats`: millisatoshis. */
  readonly unit: "msats"
  readonly status: "CHARGE_PENDING" | "CHARGE_COMPLETED" | "CHARGE_EXPIRED"
  /** The amount that the payer pays, in msats. */
  readonly amount: Msats
  /** When the charge was created. */
  readonly createdAt: string
  /** The caller's own metadata. */
  readonly internalId: string
  /** The address to which updates are POSTed. */
  readonly callbackUrl: string
  /** Note visible to the recipient. */
  readonly description: string
  /** BOLT11 invoice: what the QR code encodes. */
  readonly invoiceRequest: string
  /** The charge cannot be paid after this. */
  readonly invoiceExpiresAt: string
  /** The SHA-256 of the description, in hex, if the invoice contains only that. */
  readonly invoiceDescriptionHash: string | null
  /** The id of the charge. */
  readonly id: string
  /** When it was paid; null until then. */
  readonly confirmedAt: string | null
  readonly invoice: {
    /** BOLT11 invoice, the same as invoiceRequest. */
    readonly request: string
  }
}

export interface DecodedCharge {
  /** In msats; "0" if the payer chooses the amount. */
  readonly amount: Msats
  /** The invoice itself. */
  readonly lnRequest: string
  /** The invoice cannot be paid after this. */
  readonly lnExpiresAt: string
  /** `bitcoin`, `testnet`, `signet`, `regtest` or `simnet`. */
  readonly network: string
  /** Empty if the invoice has none. */
  readonly description: string
  /** Hex; empty if the invoice has none. */
  readonly descriptionHash: string
  /** Hex. */
  readonly paymentHash: string
  /** Hex. */
  readonly paymentSecret: string
  /** Public key of the node that is paid, hex. */
  readonly payee: string
  /** Hex. */
  readonly signature: string
}

export interface StaticCharge {
  /** The id by which it is read and updated. */
  readonly id: string
  /** Always `msats`: millisatoshis. */
  readonly unit: "msats"
  /** The number of payments accepted so far. */
  readonly slots: number
  /** Smallest payment, in msats. */
  readonly minAmount: Msats
  /** Largest payment, in msats. */
  readonly maxAmount: Msats
  /** When it was created. */
  readonly createdAt: string
  /** Null if it does not expire. */
  readonly expiresAt: string | null
  /** The caller's own metadata. */
  readonly internalId: string
  /** Visible to the payer. */
  readonly description: string
  /** The address to which updates are POSTed. */
  readonly callbackUrl: string
  /** The number of payments after which it is disabled. */
  readonly allowedSlots: number
  /** Shown to the payer after the payment has settled (LUD-09). */
  readonly successMessage: string
  readonly status: "active" | "disabled"
  readonly invoice: {
    /** LNURL-pay code, bech32 (LUD-01, LUD-06): what the QR code encodes. */
    readonly request: string
    /** The `lightning:` scheme, followed by the request. */
    readonly uri: string
  }
}

export interface ReadStaticCharge {
  /** The id by which it is read and updated. */
  readonly id: string
  /** Always `msats`: millisatoshis. */
  readonly unit: "msats"
  /** The number of payments accepted so far. */
  readonly slots: number
  /** Smallest payment, in msats. */
  readonly minAmount: Msats
  /** Largest payment, in msats. */
  readonly maxAmount: Msats
  /** When it was created. */
  readonly createdAt: string
  /** Null if it does not expire. */
  readonly expiresAt: string | null
  /** The caller's own metadata. */
  readonly internalId: string
  /** Visible to the payer. */
  readonly description: string
  /** The address to which updates are POSTed. */
  readonly callbackUrl: string
  /** The number of payments after which it is disabled. */
  readonly allowedSlots: number
  /** Shown to the payer after the payment has settled (LUD-09). */
  readonly successMessage: string
  readonly status: "active" | "disabled"
  readonly invoice: {
    /** LNURL-pay code, bech32 (LUD-01, LUD-06): what the QR code encodes. */
    readonly request: string
    /** The `lightning:` scheme, followed by the request. */
    readonly uri: string
  }
  /** Additive: a BOLT12 offer (`lno1…`) with which the same wallet can be paid any amounts, any number of times. Only if slots are not limited, and the Lightning node can be paid through offers. */
  readonly offer?: string
}

export interface WithdrawalRequest {
  /** The id by which it is read. */
  readonly id: string
  /** Always `msats`: millisatoshis. */
  readonly unit: "msats"
  /** The amount that the claimer receives, in msats. */
  readonly amount: Msats
  /** When it was created. */
  readonly createdAt: string
  /** It cannot be claimed after this. */
  readonly expiresAt: string
  /** The caller's own metadata. */
  readonly internalId: string
  /** Visible to the claimer. */
  readonly description: string
  /** The address to which updates are POSTed. */
  readonly callbackUrl: string
  readonly status: "pending" | "processing" | "completed" | "expired"
  /** What the payout cost, in msats; null until it is paid. */
  readonly fee: Msats | null
  readonly invoice: {
    /** LNURL-withdraw code, bech32 (LUD-03): what the QR code encodes. */
    readonly request: string
    /** The same code with the parameters in the URL (LUD-08). */
    readonly fastRequest: string
    /** The `lightning:` scheme, followed by the request. */
    readonly uri: string
    /** The `lightning:` scheme, followed by the fastRequest. */
    readonly fastUri: string
  }
}

export interface Payment {
  /** The id by which it is read. */
  readonly id: string
  /** What it cost, in msats; "0" until it is completed. */
  readonly fee: Msats
  /** Always `msats`: millisatoshis. */
  readonly unit: "msats"
  /** The amount that the payee receives, in msats. */
  readonly amount: Msats
  /** The invoice that is paid. */
  readonly invoice: string
  /** Proof of payment, hex; null until it is completed, and for an invoice of this service whose node does not reveal it. */
  readonly preimage: string | null
  /** The caller's own metadata. */
  readonly internalId: string
  readonly status: "processing" | "completed" | "failed"
  /** When it was accepted. */
  readonly processedAt: string
  /** When it settled; null until then. */
  readonly confirmedAt: string | null
  /** The caller's note. */
  readonly description: string
  readonly failure?: {
    /** Additive. Why it failed: `no_route`, `timed_out`, `no_liquidity`, `invoice_expired`, `refused_by_payee`, `refused_by_node` or `other`. Absent unless it failed. */
    readonly code: string
    /** What the node said. */
    readonly message: string
  }
}

export interface OfferInvoice {
  /** The invoice, to be paid with Send Payment. */
  readonly invoice: string
  /** The hash by which the payment is known, in hex. */
  readonly paymentHash: string
  /** The amount that the payee receives, in msats. */
  readonly amount: Msats
  /** The network that it is for. */
  readonly network: string
  /** What the offer is for; may be empty. */
  readonly description: string
  /** When it can no longer be paid. */
  readonly expiresAt: string
}

export interface Keysend {
  /** The id of the keysend. */
  readonly keysendId: string
  /** The id of the payment behind it. */
  readonly paymentId: string
  readonly transaction: {
    /** The id of the transaction. */
    readonly id: string
    /** The wallet that pays. */
    readonly walletId: string
    /** `KEYSEND_PAYMENT`. */
    readonly type: string
    /** Amount plus fee, in msats. */
    readonly totalAmount: Msats
    /** The cost, in msats. */
    readonly fee: Msats
    /** The amount that the destination receives, in msats. */
    readonly amount: Msats
    /** Empty if there is none. */
    readonly description: string
    readonly status: "TRANSACTION_STATUS_PROCESSING" | "TRANSACTION_STATUS_COMPLETED" | "TRANSACTION_STATUS_FAILED"
    /** When it settled; null while processing. */
    readonly confirmedAt: string | null
  }
}

export interface GamertagPayment {
  /** The id of the payment. */
  readonly id: string
  readonly status: "settled"
  /** The id by which Get Payment (gamertag) reads it. */
  readonly transactionId: string
  /** The user id of the recipient. */
  readonly receiverId: string
  /** In msats. */
  readonly amount: Msats
  /** The description of the request. */
  readonly comment: string
  /** When it settled. */
  readonly settledAt: string
}

export interface GamertagTransaction {
  /** The id of the transaction. */
  readonly id: string
  /** The user id of the recipient. */
  readonly receiverId: string
  /** In msats. */
  readonly amount: Msats
  /** In msats. */
  readonly fee: Msats
  /** Always `msats`: millisatoshis. */
  readonly unit: "msats"
  /** When it was accepted. */
  readonly processedAt: string
  /** When it settled. */
  readonly confirmedAt: string
  /** The description of the request. */
  readonly comment: string
  readonly status: "TRANSACTION_STATUS_COMPLETED"
}

export interface Transfer {
  /** The id of the transfer; List Transactions of both projects has it as `resourceId`. */
  readonly id: string
  /** The wallet that paid: the id of its project. */
  readonly senderWalletId: string
  /** The wallet that was paid: the id of its project. */
  readonly receiverWalletId: string
  /** The project whose key made the transfer. */
  readonly userId: string
  /** The transaction of the sender: the id of the transfer. */
  readonly sendTxId: string
  /** The transaction of the receiver: the id of the transfer. */
  readonly receiveTxId: string
  readonly status: "TRANSFER_STATUS_COMPLETED"
  /** In msats. */
  readonly amount: Msats
  /** When it settled. */
  readonly createdAt: string
  /** The same time, because a transfer never changes. */
  readonly updatedAt: string
}

export interface LightningAddress {
  /** Whether the address answers as a Lightning Address. */
  readonly valid: boolean
  readonly metadata?: {
    /** Smallest payment, in msats. */
    readonly minSendable: number
    /** Largest payment, in msats. */
    readonly maxSendable: number
    /** Longest comment, in characters; 0 for none (LUD-12). */
    readonly commentAllowed: number
    /** `payRequest`. */
    readonly tag: string
    /** Metadata entries as JSON text (LUD-06). */
    readonly metadata: string
    /** The address from which to get an invoice. */
    readonly callback: string
    readonly payerData?: {
      readonly name?: {
        /** Whether the payer must send it. */
        readonly mandatory: boolean
      }
      readonly identifier?: {
        /** Whether the payer must send it. */
        readonly mandatory: boolean
      }
    }
    /** Whether the code is to be used only once (LUD-11). */
    readonly disposable: boolean
  }
}

export interface AddressPayment {
  /** The id by which Retrieve Payment reads it. */
  readonly id: string
  /** What the payment cost, in msats; "0" until it is known. */
  readonly fee: Msats
  /** Always `msats`: millisatoshis. */
  readonly unit: "msats"
  /** The amount that the receiver gets, in msats. */
  readonly amount: Msats
  /** The invoice that the address returned. */
  readonly invoice: string
  /** The proof of the payment, hex; null until it is paid. */
  readonly preimage: string | null
  /** The wallet that pays. */
  readonly walletId: string
  /** The id of the payment. */
  readonly transactionId: string
  /** The address to which the outcome is POSTed. */
  readonly callbackUrl: string
  /** The caller's own metadata. */
  readonly internalId: string
  /** The text that the receiver received. */
  readonly comment: string
  /** When the payment was accepted. */
  readonly processedAt: string
  /** The same time as `processedAt`. */
  readonly createdAt: string
  readonly status: "processing" | "completed" | "failed"
}

export interface CreatedVoucher {
  /** The amount that the redeemer receives, in msats. */
  readonly amount: Msats
  /** 8-character code; single use. */
  readonly code: string
  /** When it was created. */
  readonly createdAt: string
  /** Empty if there is none. */
  readonly description: string
  /** When it expires, if nobody has redeemed it; null if it never expires. */
  readonly expiresAt: string | null
  /** The id by which it is read. */
  readonly id: string
  /** Always `msats`: millisatoshis. */
  readonly unit: "msats"
  /** The debit at creation. */
  readonly createTransactionId: string
  /** The project wallet. */
  readonly walletId: string
  readonly withdraw?: {
    /** The amount that such a wallet receives, in msats: the voucher pays the routing fee. */
    readonly amount: Msats
    /** An LNURL of LUD-03; anybody who sees it can claim the voucher. */
    readonly request: string
    /** The same code with the scheme `lightning:`. */
    readonly uri: string
  }
  /** The cost of its creation, in msats. */
  readonly fee: Msats
}

export interface VoucherBatch {
  /** The debit at creation. */
  readonly createTransactionId: string
  /** The project wallet. */
  readonly walletId: string
  /** Always `msats`: millisatoshis. */
  readonly unit: "msats"
  /** The number of vouchers. */
  readonly count: number
  /** The amount that the redeemer of each voucher receives, in msats. */
  readonly amount: Msats
  /** The cost of creating all of them, in msats. */
  readonly fee: Msats
  /** The debit of the wallet, in msats: all amounts and the fee. */
  readonly total: Msats
  /** Empty if there is none. */
  readonly description: string
  /** When they were created. */
  readonly createdAt: string
  /** When they expire, unless somebody has redeemed them; null if they never expire. */
  readonly expiresAt: string | null
  /** The codes, each with the id by which it is read. */
  readonly vouchers: readonly {
    /** The id by which it is read. */
    readonly id: string
    /** 8-character code; single use. */
    readonly code: string
    readonly withdraw?: {
      /** The amount that such a wallet receives, in msats: the voucher pays the routing fee. */
      readonly amount: Msats
      /** An LNURL of LUD-03; anybody who sees it can claim the voucher. */
      readonly request: string
      /** The same code with the scheme `lightning:`. */
      readonly uri: string
    }
  }[]
}

export interface Voucher {
  /** The amount that the redeemer receives, in msats. */
  readonly amount: Msats
  /** 8-character code; single use. */
  readonly code: string
  /** When it was created. */
  readonly createdAt: string
  /** Empty if there is none. */
  readonly description: string
  /** When it expires, if nobody has redeemed it; null if it never expires. */
  readonly expiresAt: string | null
  /** The id by which it is read. */
  readonly id: string
  /** Always `msats`: millisatoshis. */
  readonly unit: "msats"
  /** The debit at creation. */
  readonly createTransactionId: string
  /** The project wallet. */
  readonly walletId: string
  /** Null until redeemed. */
  readonly redeemedAt: string | null
  /** Who redeemed it; null until redeemed. */
  readonly redeemedById: string | null
  /** The credit of the redeemer; null until redeemed. */
  readonly redeemedTransactionId: string | null
  /** Null until revoked. */
  readonly revokedAt: string | null
  /** Who revoked it, or `expiry`; null until revoked. */
  readonly revokedById: string | null
  /** The credit of the project; null until revoked. */
  readonly revokedTransactionId: string | null
  readonly withdraw?: {
    /** The amount that such a wallet receives, in msats: the voucher pays the routing fee. */
    readonly amount: Msats
    /** An LNURL of LUD-03; anybody who sees it can claim the voucher. */
    readonly request: string
    /** The same code with the scheme `lightning:`. */
    readonly uri: string
  }
  /** When it last changed; null if never. */
  readonly updatedAt: string | null
}

export interface EndedVoucher {
  /** The amount that the redeemer receives, in msats. */
  readonly amount: Msats
  /** 8-character code; single use. */
  readonly code: string
  /** When it was created. */
  readonly createdAt: string
  /** Empty if there is none. */
  readonly description: string
  /** When it expires, if nobody has redeemed it; null if it never expires. */
  readonly expiresAt: string | null
  /** The id by which it is read. */
  readonly id: string
  /** Always `msats`: millisatoshis. */
  readonly unit: "msats"
  /** Null until redeemed. */
  readonly redeemedAt: string | null
  /** Who redeemed it; null until redeemed. */
  readonly redeemedById: string | null
  /** The credit of the redeemer; null until redeemed. */
  readonly redeemedTransactionId: string | null
  /** Null until revoked. */
  readonly revokedAt: string | null
  /** Who revoked it, or `expiry`; null until revoked. */
  readonly revokedById: string | null
  /** The credit of the project; null until revoked. */
  readonly revokedTransactionId: string | null
}

export interface ProjectUser {
  /** The immutable id of the user. */
  readonly id: string
  /** The gamertag that the user has now. */
  readonly gamertag: string
  /** Whether this call opened the user. */
  readonly created: boolean
}

export interface SignInLink {
  /** The address of the link. */
  readonly url: string
  /** When it can no longer be opened. */
  readonly expiresAt: string
}

export interface ProvenUser {
  /** The immutable id of the user. */
  readonly id: string
  /** The gamertag as its user writes it. */
  readonly gamertag: string
}

export interface Wallet {
  /** Always `msats`: millisatoshis. */
  readonly unit: "msats"
  /** The spendable balance, in msats. */
  readonly balance: Msats
  /** Additive: the network of the Lightning node. Absent until the node has been reached for the first time. */
  readonly network?: "bitcoin" | "testnet" | "signet" | "regtest" | "simnet"
  readonly node?: {
    readonly state: "ready" | "low" | "starting" | "syncing" | "away"
    readonly offers?: {
      /** Whether BOLT12 offers can be paid (Fetch Offer Invoice). */
      readonly pays: boolean
      /** Whether Bitcoin names (BIP-353) can be paid. */
      readonly names: boolean
      /** Whether Get Static Charge returns offers that can be paid from outside. */
      readonly receives: boolean
    }
    readonly tariff?: {
      /** The cost of each payment, in msats. */
      readonly base: Msats
      /** The additional cost, in millionths of the amount, rounded up to an msat. */
      readonly partsPerMillion: number
    }
  }
}

export interface Region {
  /** The address in the request. */
  readonly ipAddress: string
  /** Whether the service is offered in this region. */
  readonly isSupported: boolean
  /** ISO 3166-1 country code. */
  readonly ipCountry: string
  /** ISO 3166-2 subdivision code; empty if it is not known. */
  readonly ipRegion: string
}

export interface UserProfile {
  /** The immutable id of the user. */
  readonly id: string
  /** The gamertag that the user has now. It may change: identify users by their id. */
  readonly gamertag: string
  /** Always null: the service knows none. */
  readonly email: string | null
  /** Always null: the service has none. */
  readonly image: string | null
  /** Always false: the service checks nobody's identity. */
  readonly isVerified: boolean
  /** The Lightning Address at which anybody can pay the user. */
  readonly lightningAddress: string
  /** Always empty. */
  readonly publicBio: string
  /** The same address as an LNURL code. */
  readonly publicStaticCharge: string
}

export interface UserWallet {
  /** The spendable balance of the user, in msats. */
  readonly balance: Msats
  readonly remainingAmountLimits: {
    /** In msats. This service has no such limit, so it is all the bitcoin there will ever be. */
    readonly daily: Msats
    /** The same as `daily`. */
    readonly weekly: Msats
    /** The same as `daily`. */
    readonly monthly: Msats
    /** The maximum amount of one operation, in msats. */
    readonly maxCredit: Msats
  }
}

/** An error of the token endpoint: OAuth 2 and the error shape in one. */
export interface LogInError {
  readonly error: "invalid_request" | "invalid_client" | "invalid_grant" | "unsupported_grant_type" | "unsupported_response_type" | "invalid_scope" | "access_denied" | "temporarily_unavailable"
  /** A sentence for people. */
  readonly error_description: string
  readonly success: false
  /** The same sentence as `error_description`. */
  readonly message: string
  /** The code of the error: the same word as `error`, or a code of the interface. */
  readonly code: string
}

export interface SignedEvent {
  /** The id of the event, and the `webhook-id` of the callback of the same event. */
  readonly id: string
  /** When it happened. */
  readonly createdAt: string
  /** The `webhook-timestamp`: when the event was sent here, in seconds since 1970. */
  readonly timestamp: string
  /** The `webhook-signature` over `{id}.{timestamp}.{body}`. */
  readonly signature: string
  /** The body of the callback, as text. Check the signature of this text before you parse it. */
  readonly body: string
}

export interface StaticChargeCallback {
  /** The id by which it is read and updated. */
  readonly id: string
  /** Always `msats`: millisatoshis. */
  readonly unit: "msats"
  /** The number of payments accepted so far. */
  readonly slots: number
  /** Smallest payment, in msats. */
  readonly minAmount: Msats
  /** Largest payment, in msats. */
  readonly maxAmount: Msats
  /** When it was created. */
  readonly createdAt: string
  /** Null if it does not expire. */
  readonly expiresAt: string | null
  /** The caller's own metadata. */
  readonly internalId: string
  /** Visible to the payer. */
  readonly description: string
  /** The address to which updates are POSTed. */
  readonly callbackUrl: string
  /** The number of payments after which it is disabled. */
  readonly allowedSlots: number
  /** Shown to the payer after the payment has settled (LUD-09). */
  readonly successMessage: string
  readonly status: "active" | "disabled"
  readonly invoice: {
    /** LNURL-pay code, bech32 (LUD-01, LUD-06): what the QR code encodes. */
    readonly request: string
    /** The `lightning:` scheme, followed by the request. */
    readonly uri: string
  }
  readonly payment?: {
    /** The id of this payment. */
    readonly id: string
    /** The paid amount, in msats. */
    readonly amount: Msats
    /** The payer's comment (LUD-12); empty if there is none. */
    readonly comment: string
    /** When it settled. */
    readonly settledAt: string
    readonly payer?: {
      /** A name, in the payer’s own words; not proven. Empty if they sent none. */
      readonly name: string
      /** An address such as `name@example.com`; not proven. Empty if they sent none. */
      readonly identifier: string
      /** A compressed public key, hex; not proven. Empty if they sent none. */
      readonly pubkey: string
      /** The Nostr account that zapped (NIP-57), hex; proven by its signature. Empty if it was no zap. */
      readonly nostr: string
    }
  }
}

export interface KeysendCallback {
  /** The id of the keysend. */
  readonly keysendId: string
  /** The id of the payment behind it. */
  readonly paymentId: string
  readonly transaction: {
    /** The id of the transaction. */
    readonly id: string
    /** The wallet that pays. */
    readonly walletId: string
    /** `KEYSEND_PAYMENT`. */
    readonly type: string
    /** Amount plus fee, in msats. */
    readonly totalAmount: Msats
    /** The cost, in msats. */
    readonly fee: Msats
    /** The amount that the destination receives, in msats. */
    readonly amount: Msats
    /** Empty if there is none. */
    readonly description: string
    readonly status: "TRANSACTION_STATUS_PROCESSING" | "TRANSACTION_STATUS_COMPLETED" | "TRANSACTION_STATUS_FAILED"
    /** When it settled; null while processing. */
    readonly confirmedAt: string | null
  }
  /** As sent in the request; empty if none was sent. */
  readonly metadata: Readonly<Record<string, unknown>>
  /** As sent in the request; empty if none were sent. */
  readonly tlvRecords: readonly {
    readonly type: number
    readonly value: string
  }[]
}

export interface CreateChargeInput {
  /** The amount that the payer pays. In msats, at least 1000. */
  readonly amount: Msats | bigint
  /** What the payer sees. */
  readonly description: string
  /** Seconds until expiry. */
  readonly expiresIn?: number | undefined
  /** The https address on the public Internet to which updates are POSTed. Empty if there is none. */
  readonly callbackUrl?: string | undefined
  /** The caller's own metadata, echoed unchanged. */
  readonly internalId?: string | undefined
}

export interface GetChargeInput {
  /** The id of the charge. */
  readonly id: string
}

export interface CreateGamertagChargeInput {
  /** The amount that the payer pays. In msats, at least 1000. */
  readonly amount: Msats | bigint
  /** Gamertag of the recipient. */
  readonly gamertag: string
  /** Note visible to the recipient. */
  readonly description?: string | undefined
  /** Seconds until expiry. */
  readonly expiresIn?: number | undefined
  /** The caller's own metadata, echoed unchanged. */
  readonly internalId?: string | undefined
  /** The https address on the public Internet to which updates are POSTed. Empty if there is none. */
  readonly callbackUrl?: string | undefined
}

export interface GetGamertagChargeInput {
  /** The id of the charge. */
  readonly id: string
}

export interface DecodeChargeInput {
  /** The invoice contents. */
  readonly invoice: string
}

export interface CreateStaticChargeInput {
  /** Smallest payment. In msats, at least 1000. */
  readonly minAmount: Msats | bigint
  /** Largest payment; equal to minAmount for a fixed amount. In msats, at least 1000. */
  readonly maxAmount: Msats | bigint
  /** Visible to the payer. */
  readonly description: string
  /** Shown to the payer after the payment has settled. At most 144 characters. */
  readonly successMessage?: string | undefined
  /** The number of payments after which the Static Charge is disabled. Unlimited if omitted. */
  readonly allowedSlots?: number | undefined
  /** The caller's own metadata, echoed unchanged. */
  readonly internalId?: string | undefined
  /** The https address on the public Internet to which updates are POSTed. Empty if there is none. */
  readonly callbackUrl?: string | undefined
  /** Makes `identifier@host` a Lightning Address (LUD-16). */
  readonly identifier?: string | undefined
}

export interface UpdateStaticChargeInput {
  /** The id of the Static Charge. */
  readonly id: string
  /** Smallest payment. In msats, at least 1000. */
  readonly minAmount?: Msats | bigint | undefined
  /** Largest payment. In msats, at least 1000. */
  readonly maxAmount?: Msats | bigint | undefined
  /** Visible to the payer. */
  readonly description?: string | undefined
  /** Shown to the payer after the payment has settled. At most 144 characters. */
  readonly successMessage?: string | undefined
  /** The number of payments after which the Static Charge is disabled. Unlimited if omitted. */
  readonly allowedSlots?: number | undefined
  /** The caller's own metadata, echoed unchanged. */
  readonly internalId?: string | undefined
  /** The https address on the public Internet to which updates are POSTed. Empty if there is none. */
  readonly callbackUrl?: string | undefined
}

export interface GetStaticChargeInput {
  /** The id of the Static Charge. */
  readonly id: string
}

export interface ListStaticChargePaymentsInput {
  /** The id of the Static Charge. */
  readonly id: string
  /** The last slot that you know already; 0 if you know none. */
  readonly after: string
}

export interface ListStaticChargePaymentsAnswer {
  /** The oldest first. */
  readonly payments: readonly {
    /** The id of the payment, as its callback names it. */
    readonly id: string
    /** The number of the payment in the Static Charge, from 1. */
    readonly slot: number
    /** The credited amount, in msats. */
    readonly amount: Msats
    /** The comment of the payer (LUD-12). */
    readonly comment: string
    /** When it settled. */
    readonly settledAt: string
    readonly payer?: {
      /** A name, in the payer’s own words; not proven. Empty if they sent none. */
      readonly name: string
      /** An address such as `name@example.com`; not proven. Empty if they sent none. */
      readonly identifier: string
      /** A compressed public key, hex; not proven. Empty if they sent none. */
      readonly pubkey: string
      /** The Nostr account that zapped (NIP-57), hex; proven by its signature. Empty if it was no zap. */
      readonly nostr: string
    }
  }[]
}

export interface CreateWithdrawalRequestInput {
  /** The amount that the claimer receives. In msats, at least 1000. */
  readonly amount: Msats | bigint
  /** Visible to the claimer. */
  readonly description?: string | undefined
  /** Seconds until expiry. */
  readonly expiresIn?: number | undefined
  /** The caller's own metadata, echoed unchanged. */
  readonly internalId?: string | undefined
  /** The https address on the public Internet to which updates are POSTed. Empty if there is none. */
  readonly callbackUrl?: string | undefined
  /** Additive. The maximum fee of the payout. In msats. */
  readonly maxFee?: Msats | bigint | undefined
}

export interface RetrieveWithdrawalRequestInput {
  /** The id of the Withdrawal Request. */
  readonly id: string
}

export interface CancelWithdrawalRequestInput {
  /** The id of the Withdrawal Request. */
  readonly id: string
}

export interface SendPaymentInput {
  /** The Lightning invoice to pay. */
  readonly invoice: string
  /** The caller's note. */
  readonly description?: string | undefined
  /** The amount to pay, only for an invoice without an amount. In msats, at least 1000. */
  readonly amount?: Msats | bigint | undefined
  /** The caller's own metadata, echoed unchanged. */
  readonly internalId?: string | undefined
  /** The https address on the public Internet to which updates are POSTed. Empty if there is none. */
  readonly callbackUrl?: string | undefined
  /** Additive. The maximum fee of the payment. In msats. */
  readonly maxFee?: Msats | bigint | undefined
}

export interface RetrievePaymentInput {
  /** The id of the payment. */
  readonly id: string
}

export interface FetchOfferInvoiceInput {
  /** The offer (`lno1…`), or the Bitcoin name with its sign (`₿name@domain`). */
  readonly offer: string
  /** The amount that the payee receives, only for a name, and for an offer without an amount. In msats, at least 1000. */
  readonly amount?: Msats | bigint | undefined
  /** A note for the payee. */
  readonly note?: string | undefined
}

export interface SendKeysendPaymentInput {
  /** The amount that the destination receives. In msats, at least 1000. */
  readonly amount: Msats | bigint
  /** Public key of the destination node, hex. */
  readonly pubkey: string
  /** The https address on the public Internet to which updates are POSTed. Empty if there is none. */
  readonly callbackUrl?: string | undefined
  /** Any JSON object, which the callback returns. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
  /** Custom records that are sent with the payment, and that the callback returns. */
  readonly tlvRecords?: readonly {
    /** Type of the TLV record; custom records begin at 65536. 5482373484 is taken: it carries the preimage. */
    readonly type: number
    /** Value of the TLV record, hex. */
    readonly value: string
  }[] | undefined
  /** Additive. The maximum fee of the payment. In msats. */
  readonly maxFee?: Msats | bigint | undefined
}

export interface PayToGamertagInput {
  /** The amount that the recipient receives. In msats. */
  readonly amount: Msats | bigint
  /** Gamertag of the recipient. */
  readonly gamertag: string
  /** Visible to the recipient. */
  readonly description: string
  /** Additive. The id of the user who must have the gamertag. If another user has it, no sats move. */
  readonly receiverId?: string | undefined
}

export interface GetGamertagPaymentInput {
  /** The transactionId of the payment. */
  readonly id: string
}

export interface InternalTransferInput {
  /** The amount that the receiver gets. In msats. */
  readonly amount: Msats | bigint
  /** The id of the project whose wallet receives the sats. */
  readonly receiverWalletId: string
}

export interface ValidateLightningAddressInput {
  /** The address, `name@host`. */
  readonly address: string
}

export interface PayLightningAddressInput {
  /** The Lightning Address, `name@host`. */
  readonly lnAddress: string
  /** The amount that the receiver gets. In msats, at least 1000. */
  readonly amount: Msats | bigint
  /** A text for the receiver; refused if the receiver accepts none. */
  readonly comment?: string | undefined
  /** The caller's own metadata, echoed unchanged. */
  readonly internalId?: string | undefined
  /** The https address on the public Internet to which updates are POSTed. Empty if there is none. */
  readonly callbackUrl?: string | undefined
}

export interface ChargeFromAddressInput {
  /** The Lightning Address, `name@host`. */
  readonly lnaddress: string
  /** The amount that the payer pays. In msats, at least 1000. */
  readonly amount: Msats | bigint
  /** A text for the receiver; refused if the receiver accepts none. */
  readonly description?: string | undefined
}

export interface ChargeFromAddressAnswer {
  /** The address, as it was sent. */
  readonly lnaddress: string
  /** In msats. */
  readonly amount: Msats
  readonly invoice: {
    /** BOLT11 invoice: what the QR code encodes. */
    readonly request: string
    /** The `lightning:` scheme, followed by the request. */
    readonly uri: string
  }
}

export interface CreateVoucherInput {
  /** The amount that the redeemer receives. In msats. */
  readonly amount: Msats | bigint
  /** Shown with the voucher. */
  readonly description?: string | undefined
  /** From this time on nobody can redeem it, and its amount, but not its fee, is back in the project wallet. If omitted, it never expires. */
  readonly expiresAt?: string | undefined
}

export interface CreateVoucherBatchInput {
  /** How many vouchers to create. */
  readonly count: number
  /** The amount that the redeemer of each voucher receives. In msats. */
  readonly amount: Msats | bigint
  /** Shown with each voucher. */
  readonly description?: string | undefined
  /** From this time on nobody can redeem it, and its amount, but not its fee, is back in the project wallet. If omitted, it never expires. */
  readonly expiresAt?: string | undefined
}

export interface RetrieveVoucherInput {
  /** The id of the voucher. */
  readonly voucherId: string
}

export interface RevokeVoucherInput {
  /** The 8-character code of the voucher; case does not matter. */
  readonly code: string
}

export interface RedeemVoucherInput {
  /** The 8-character code of the voucher; case does not matter. */
  readonly code: string
}

export interface GetGamertagByUserIdInput {
  /** The immutable id of the user. */
  readonly id: string
}

export interface GetGamertagByUserIdAnswer {
  /** The gamertag that the user has now. */
  readonly gamertag: string
}

export interface GetIdByGamertagInput {
  /** The gamertag. */
  readonly gamertag: string
}

export interface GetIdByGamertagAnswer {
  /** The immutable id of the user. */
  readonly id: string
}

export interface OpenUserInput {
  /** The identifier that the project has for the person, which never changes. */
  readonly reference: string
  /** The gamertag of a new user. If it is taken or reserved, the user gets a similar gamertag. */
  readonly gamertag: string
}

export interface CreateSignInLinkInput {
  /** The immutable id of the user. */
  readonly id: string
}

export interface ProveGamertagInput {
  /** The gamertag. Case does not matter. */
  readonly gamertag: string
  /** The identifier that the project has for the person, which never changes. */
  readonly reference?: string | undefined
  /** The code that the wallet page shows the user, to prove a gamertag. */
  readonly code?: string | undefined
}

export interface ListTransactionsInput {
  /** The `next` of the previous page; omitted for the first page. */
  readonly after?: string | undefined
  /** The maximum number of items in an answer: 1 to 500; 50 if omitted. */
  readonly limit?: string | undefined
  /** Only bookings of this type. */
  readonly type?: "charge" | "static_charge" | "payment" | "keysend" | "withdrawal_request" | "gamertag_payment" | "voucher" | "transfer" | "adjustment" | undefined
  /** Only bookings at this time or later. */
  readonly from?: string | undefined
  /** Only bookings before this time. */
  readonly to?: string | undefined
}

export interface ListTransactionsAnswer {
  /** The newest first. */
  readonly transactions: readonly {
    /** The id of the booking. */
    readonly id: string
    /** When it was booked. */
    readonly createdAt: string
    readonly type: "charge" | "static_charge" | "payment" | "keysend" | "withdrawal_request" | "gamertag_payment" | "voucher" | "transfer" | "adjustment"
    readonly direction: "in" | "out"
    /** Always `msats`: millisatoshis. */
    readonly unit: "msats"
    /** The booked amount, in msats, including what is held for a fee. The unused part returns as a separate booking. */
    readonly amount: Msats
    /** The part of the amount that is a fee, in msats, as far as it is known. Only one booking of a payment has it. */
    readonly fee: Msats
    /** The balance of the wallet afterwards, in msats. */
    readonly balance: Msats
    /** The id by which the charge, payment or other resource is read; for vouchers made together, their `createTransactionId`; empty for an adjustment. */
    readonly resourceId: string
    /** The caller's own metadata of that resource. */
    readonly internalId: string
    /** What the amount was worth when it was booked, such as `0.4375`; null if the service knew no price then. */
    readonly fiatValue: string | null
    /** The currency of that value (ISO 4217); null if there is no value. */
    readonly fiatCurrency: string | null
  }[]
  /** The `after` of the next page; null at the end. */
  readonly next: string | null
}

export interface ApiSupportedRegionsInput {
  /** IPv4 or IPv6 address. */
  readonly ipAddress: string
}

export interface GetCallbackAddressesAnswer {
  /** May be empty. */
  readonly ips: readonly string[]
}

export interface GetPriceAnswer {
  /** Dollars for one bitcoin, a plain decimal. */
  readonly btcUsdPrice: string
  /** The time of that state, in seconds since 1970. */
  readonly btcUsdTimestamp: string
}

export interface GetUserProfileInput {
  /** The access token that the user has allowed this program. */
  readonly usertoken: string
}

export interface GetUserWalletInput {
  /** The access token that the user has allowed this program. */
  readonly usertoken: string
}

const api: ApiFacts = { authorization: (apiKey) => ({ apikey: apiKey }), hasEnvelope: true, provingCodes: {"receiver_mismatch":409,"voucher_redeemed":409,"voucher_revoked":409,"voucher_expired":409,"voucher_being_claimed":409,"identifier_taken":409,"too_many_identifiers":409,"nothing_sent":503} }

const operations = {
  createCharge: {"facts":{"name":"createCharge","verb":"POST","path":"/v0/charges","host":"base","idempotent":false},"query":[],"hasBody":true,"needs":{"id":"there","amount":"amount","status":"there"}},
  getCharge: {"facts":{"name":"getCharge","verb":"GET","path":"/v0/charges/{id}","host":"base","idempotent":true},"query":[],"hasBody":false,"needs":{"id":"there","amount":"amount","status":"there"}},
  createGamertagCharge: {"facts":{"name":"createGamertagCharge","verb":"POST","path":"/v0/gamertag/charges","host":"alt","idempotent":false},"query":[],"hasBody":true,"needs":{"status":"there","amount":"amount","invoiceRequest":"there"}},
  getGamertagCharge: {"facts":{"name":"getGamertagCharge","verb":"GET","path":"/v0/gamertag/charges/{id}","host":"alt","idempotent":true},"query":[],"hasBody":false,"needs":{"status":"there","amount":"amount","invoiceRequest":"there"}},
  decodeCharge: {"facts":{"name":"decodeCharge","verb":"POST","path":"/v0/decode-invoice","host":"base","idempotent":false},"query":[],"hasBody":true,"needs":{"amount":"amount"}},
  createStaticCharge: {"facts":{"name":"createStaticCharge","verb":"POST","path":"/v0/static-charges","host":"base","idempotent":false},"query":[],"hasBody":true,"needs":{"id":"there","minAmount":"amount","maxAmount":"amount","status":"there"}},
  updateStaticCharge: {"facts":{"name":"updateStaticCharge","verb":"PATCH","path":"/v0/static-charges/{id}","host":"base","idempotent":false},"query":[],"hasBody":true,"needs":{"id":"there","minAmount":"amount","maxAmount":"amount","status":"there"}},
  getStaticCharge: {"facts":{"name":"getStaticCharge","verb":"GET","path":"/v0/static-charges/{id}","host":"base","idempotent":true},"query":[],"hasBody":false,"needs":{"id":"there","minAmount":"amount","maxAmount":"amount","status":"there"}},
  listStaticChargePayments: {"facts":{"name":"listStaticChargePayments","verb":"GET","path":"/v0/static-charges/{id}/payments/{after}","host":"base","idempotent":true},"query":[],"hasBody":false,"needs":{}},
  createWithdrawalRequest: {"facts":{"name":"createWithdrawalRequest","verb":"POST","path":"/v0/withdrawal-requests","host":"base","idempotent":false},"query":[],"hasBody":true,"needs":{"id":"there","amount":"amount","status":"there"}},
  retrieveWithdrawalRequest: {"facts":{"name":"retrieveWithdrawalRequest","verb":"GET","path":"/v0/withdrawal-requests/{id}","host":"base","idempotent":true},"query":[],"hasBody":false,"needs":{"id":"there","amount":"amount","status":"there"}},
  cancelWithdrawalRequest: {"facts":{"name":"cancelWithdrawalRequest","verb":"POST","path":"/v0/withdrawal-requests/{id}/cancel","host":"base","idempotent":false},"query":[],"hasBody":true,"needs":{"id":"there","amount":"amount","status":"there"}},
  sendPayment: {"facts":{"name":"sendPayment","verb":"POST","path":"/v0/payments","host":"base","idempotent":false},"query":[],"hasBody":true,"needs":{"id":"there","fee":"amount","amount":"amount","status":"there"}},
  retrievePayment: {"facts":{"name":"retrievePayment","verb":"GET","path":"/v0/payments/{id}","host":"base","idempotent":true},"query":[],"hasBody":false,"needs":{"id":"there","fee":"amount","amount":"amount","status":"there"}},
  fetchOfferInvoice: {"facts":{"name":"fetchOfferInvoice","verb":"POST","path":"/v0/offer-invoices","host":"base","idempotent":false},"query":[],"hasBody":true,"needs":{"invoice":"there","paymentHash":"there","amount":"amount"}},
  sendKeysendPayment: {"facts":{"name":"sendKeysendPayment","verb":"POST","path":"/v0/keysend-payment","host":"base","idempotent":false},"query":[],"hasBody":true,"needs":{"paymentId":"there"}},
  payToGamertag: {"facts":{"name":"payToGamertag","verb":"POST","path":"/v0/gamertag/send-payment","host":"alt","idempotent":false},"query":[],"hasBody":true,"needs":{"status":"there","amount":"amount"}},
  getGamertagPayment: {"facts":{"name":"getGamertagPayment","verb":"GET","path":"/v0/gamertag/transaction/{id}","host":"base","idempotent":true},"query":[],"hasBody":false,"needs":{"amount":"amount","fee":"amount","status":"there"}},
  internalTransfer: {"facts":{"name":"internalTransfer","verb":"POST","path":"/v0/internal-transfer","host":"base","idempotent":false},"query":[],"hasBody":true,"needs":{"id":"there","status":"there","amount":"amount"}},
  validateLightningAddress: {"facts":{"name":"validateLightningAddress","verb":"GET","path":"/v0/ln-address/validate/{address}","host":"alt","idempotent":true},"query":[],"hasBody":false,"needs":{}},
  payLightningAddress: {"facts":{"name":"payLightningAddress","verb":"POST","path":"/v0/ln-address/send-payment","host":"base","idempotent":false},"query":[],"hasBody":true,"needs":{"id":"there","fee":"amount","amount":"amount","status":"there"}},
  chargeFromAddress: {"facts":{"name":"chargeFromAddress","verb":"POST","path":"/v0/ln-address/fetch-charge","host":"base","idempotent":false},"query":[],"hasBody":true,"needs":{"amount":"amount"}},
  createVoucher: {"facts":{"name":"createVoucher","verb":"POST","path":"/v1/create-voucher","host":"base","idempotent":false},"query":[],"hasBody":true,"needs":{"amount":"amount","code":"there","id":"there","fee":"amount"}},
  createVoucherBatch: {"facts":{"name":"createVoucherBatch","verb":"POST","path":"/v0/vouchers/batch","host":"base","idempotent":false},"query":[],"hasBody":true,"needs":{"amount":"amount","fee":"amount","total":"amount"}},
  retrieveVoucher: {"facts":{"name":"retrieveVoucher","verb":"GET","path":"/v0/vouchers/{voucherId}","host":"base","idempotent":true},"query":[],"hasBody":false,"needs":{"amount":"amount","code":"there","id":"there"}},
  revokeVoucher: {"facts":{"name":"revokeVoucher","verb":"POST","path":"/v0/revoke-voucher","host":"base","idempotent":false},"query":[],"hasBody":true,"needs":{"amount":"amount","code":"there","id":"there"}},
  redeemVoucher: {"facts":{"name":"redeemVoucher","verb":"POST","path":"/v0/redeem-voucher","host":"base","idempotent":false},"query":[],"hasBody":true,"needs":{"amount":"amount","code":"there","id":"there"}},
  getGamertagByUserId: {"facts":{"name":"getGamertagByUserId","verb":"GET","path":"/v0/gamertag/user-id/{id}","host":"base","idempotent":true},"query":[],"hasBody":false,"needs":{"gamertag":"there"}},
  getIdByGamertag: {"facts":{"name":"getIdByGamertag","verb":"GET","path":"/v0/user-id/gamertag/{gamertag}","host":"base","idempotent":true},"query":[],"hasBody":false,"needs":{"id":"there"}},
  openUser: {"facts":{"name":"openUser","verb":"POST","path":"/v0/users","host":"base","idempotent":false},"query":[],"hasBody":true,"needs":{"id":"there","gamertag":"there"}},
  createSignInLink: {"facts":{"name":"createSignInLink","verb":"POST","path":"/v0/users/{id}/sign-in-link","host":"base","idempotent":false},"query":[],"hasBody":true,"needs":{"url":"there"}},
  proveGamertag: {"facts":{"name":"proveGamertag","verb":"POST","path":"/v0/gamertag/prove","host":"base","idempotent":false},"query":[],"hasBody":true,"needs":{"id":"there","gamertag":"there"}},
  getWallet: {"facts":{"name":"getWallet","verb":"GET","path":"/v0/wallet","host":"base","idempotent":true},"query":[],"hasBody":false,"needs":{"balance":"amount"}},
  listTransactions: {"facts":{"name":"listTransactions","verb":"GET","path":"/v0/transactions","host":"base","idempotent":true},"query":["after","limit","type","from","to"],"hasBody":false,"needs":{}},
  apiSupportedRegions: {"facts":{"name":"apiSupportedRegions","verb":"GET","path":"/v0/is-supported-region/{ipAddress}","host":"base","idempotent":true},"query":[],"hasBody":false,"needs":{}},
  getCallbackAddresses: {"facts":{"name":"getCallbackAddresses","verb":"GET","path":"/v0/prod-ips","host":"base","idempotent":true},"query":[],"hasBody":false,"needs":{}},
  getPrice: {"facts":{"name":"getPrice","verb":"GET","path":"/v0/btcusd","host":"base","idempotent":true},"query":[],"hasBody":false,"needs":{"btcUsdPrice":"there","btcUsdTimestamp":"there"}},
  getUserProfile: {"facts":{"name":"getUserProfile","verb":"GET","path":"/v1/oauth2/user","host":"base","idempotent":true},"query":[],"headers":["usertoken"],"hasBody":false,"needs":{"id":"there","gamertag":"there","lightningAddress":"there","publicStaticCharge":"there"}},
  getUserWallet: {"facts":{"name":"getUserWallet","verb":"GET","path":"/v1/oauth2/wallet","host":"base","idempotent":true},"query":[],"headers":["usertoken"],"hasBody":false,"needs":{"balance":"amount"}},
  events: {"facts":{"name":"events","verb":"GET","path":"/v0/events","host":"base","idempotent":true},"query":[],"hasBody":false,"needs":{}},
} as const satisfies Record<string, OperationOfApi>

/** The client of the payments service: charges, payments, vouchers, and the wallet of a project. Each method throws only `PaymentsError`, whatever the server or the network does. */
export class PaymentsClient extends ApiClient {
  constructor(options: ClientOptions) {
    super(options, api)
  }

  /**
   * Creates a single-use invoice. Payments are credited to the project wallet. It expires after 600 seconds if expiresIn is omitted. Not every provider offers this operation.
   *
   * Needs a key with the scope `receive`.
   *
   * Send an `idempotencyKey` of your own, so that a repeated request is carried out only once.
   */
  createCharge(input: CreateChargeInput, options: CallOptions = {}): Promise<ApiAnswer<ProjectCharge>> {
    return this.call(operations.createCharge, input, options)
  }

  /**
   * Reads a charge of the project wallet. `completed` and `expired` are final, with one exception: a payment that arrives late is credited, and completes an expired charge. Not every provider offers this operation.
   *
   * Needs a key with the scope `read`.
   */
  getCharge(input: GetChargeInput, options: CallOptions = {}): Promise<ApiAnswer<ProjectCharge>> {
    return this.call(operations.getCharge, input, options)
  }

  /**
   * Creates a single-use invoice. The payment is credited to the owner of the gamertag, even if they have changed the gamertag by then. It expires after 600 seconds if expiresIn is omitted.
   *
   * Needs a key with the scope `receive`.
   *
   * Send an `idempotencyKey` of your own, so that a repeated request is carried out only once.
   */
  createGamertagCharge(input: CreateGamertagChargeInput, options: CallOptions = {}): Promise<ApiAnswer<Charge>> {
    return this.call(operations.createGamertagCharge, input, options)
  }

  /**
   * Reads a charge, in the shape of its callback. Not every provider offers this operation.
   *
   * Needs a key with the scope `read`.
   */
  getGamertagCharge(input: GetGamertagChargeInput, options: CallOptions = {}): Promise<ApiAnswer<ChargeRecord>> {
    return this.call(operations.getGamertagCharge, input, options)
  }

  /**
   * Reads the contents of any Lightning invoice, of any network, no matter who made it.
   *
   * Needs a key with the scope `read`.
   *
   * Send an `idempotencyKey` of your own, so that a repeated request is carried out only once.
   */
  decodeCharge(input: DecodeChargeInput, options: CallOptions = {}): Promise<ApiAnswer<DecodedCharge>> {
    return this.call(operations.decodeCharge, input, options)
  }

  /**
   * Creates a reusable payment code. Payments are credited to the project wallet.
   *
   * Needs a key with the scope `receive`.
   *
   * Send an `idempotencyKey` of your own, so that a repeated request is carried out only once.
   */
  createStaticCharge(input: CreateStaticChargeInput, options: CallOptions = {}): Promise<ApiAnswer<StaticCharge>> {
    return this.call(operations.createStaticCharge, input, options)
  }

  /**
   * Changes the given fields and no others. The QR code stays as it is.
   *
   * Needs a key with the scope `receive`.
   */
  updateStaticCharge(input: UpdateStaticChargeInput, options: CallOptions = {}): Promise<ApiAnswer<StaticCharge>> {
    return this.call(operations.updateStaticCharge, input, options)
  }

  /**
   * Reads a Static Charge: its slots, its success message, its status.
   *
   * Needs a key with the scope `read`.
   */
  getStaticCharge(input: GetStaticChargeInput, options: CallOptions = {}): Promise<ApiAnswer<ReadStaticCharge>> {
    return this.call(operations.getStaticCharge, input, options)
  }

  /**
   * Lists the payments to a Static Charge, in the order of their slots: at most 100, after the slot `after`. With it, you can check the amounts in callbacks, and miss no payment if a callback is lost.
   *
   * Needs a key with the scope `read`.
   */
  listStaticChargePayments(input: ListStaticChargePaymentsInput, options: CallOptions = {}): Promise<ApiAnswer<ListStaticChargePaymentsAnswer>> {
    return this.call(operations.listStaticChargePayments, input, options)
  }

  /**
   * Creates a single-use code that somebody scans to receive funds. The amount and the maximum fee are held in the project wallet until the code is claimed or expires. It expires after 3600 seconds if expiresIn is omitted.
   *
   * Needs a key with the scope `send`.
   *
   * Send an `idempotencyKey` of your own, so that a repeated request is carried out only once.
   */
  createWithdrawalRequest(input: CreateWithdrawalRequestInput, options: CallOptions = {}): Promise<ApiAnswer<WithdrawalRequest>> {
    return this.call(operations.createWithdrawalRequest, input, options)
  }

  /**
   * Reads a Withdrawal Request. Anybody who can read it can claim it, so it needs the scope for sending.
   *
   * Needs a key with the scope `send`.
   */
  retrieveWithdrawalRequest(input: RetrieveWithdrawalRequestInput, options: CallOptions = {}): Promise<ApiAnswer<WithdrawalRequest>> {
    return this.call(operations.retrieveWithdrawalRequest, input, options)
  }

  /**
   * Expires a Withdrawal Request now, unless somebody has claimed it. The answer is the Withdrawal Request in its new state: `expired`, or the state of its claim.
   *
   * Needs a key with the scope `send`.
   *
   * Send an `idempotencyKey` of your own, so that a repeated request is carried out only once.
   */
  cancelWithdrawalRequest(input: CancelWithdrawalRequestInput, options: CallOptions = {}): Promise<ApiAnswer<WithdrawalRequest>> {
    return this.call(operations.cancelWithdrawalRequest, input, options)
  }

  /**
   * Pays a Lightning invoice. Answers with the outcome, or after 5 seconds with status `processing`; the outcome then arrives at callbackUrl.
   *
   * Needs a key with the scope `send`.
   *
   * Send an `idempotencyKey` of your own, so that a repeated request is carried out only once.
   */
  sendPayment(input: SendPaymentInput, options: CallOptions = {}): Promise<ApiAnswer<Payment>> {
    return this.call(operations.sendPayment, input, options)
  }

  /**
   * Reads a payment by its id, or (additive) a keysend by its paymentId.
   *
   * Needs a key with the scope `read`.
   */
  retrievePayment(input: RetrievePaymentInput, options: CallOptions = {}): Promise<ApiAnswer<Payment>> {
    return this.call(operations.retrievePayment, input, options)
  }

  /**
   * Asks the maker of a BOLT12 offer, or the owner of a Bitcoin name (BIP-353), for an invoice, and checks its amount. No sats move until you pay the invoice with Send Payment. 501 if the Lightning node does not support this. Not every provider offers this operation.
   *
   * Needs a key with the scope `send`.
   *
   * Send an `idempotencyKey` of your own, so that a repeated request is carried out only once.
   */
  fetchOfferInvoice(input: FetchOfferInvoiceInput, options: CallOptions = {}): Promise<ApiAnswer<OfferInvoice>> {
    return this.call(operations.fetchOfferInvoice, input, options)
  }

  /**
   * Pays a node without an invoice. Answers with the outcome, or after 5 seconds with status `TRANSACTION_STATUS_PROCESSING`; the outcome then arrives at callbackUrl.
   *
   * Needs a key with the scope `send`.
   *
   * Send an `idempotencyKey` of your own, so that a repeated request is carried out only once.
   */
  sendKeysendPayment(input: SendKeysendPaymentInput, options: CallOptions = {}): Promise<ApiAnswer<Keysend>> {
    return this.call(operations.sendKeysendPayment, input, options)
  }

  /**
   * Pays a gamertag without a fee. When the answer arrives, the payment has either settled or failed.
   *
   * Needs a key with the scope `send`.
   *
   * Send an `idempotencyKey` of your own, so that a repeated request is carried out only once.
   */
  payToGamertag(input: PayToGamertagInput, options: CallOptions = {}): Promise<ApiAnswer<GamertagPayment>> {
    return this.call(operations.payToGamertag, input, options)
  }

  /**
   * Reads a gamertag payment by the transactionId that Pay to Gamertag returned.
   *
   * Needs a key with the scope `read`.
   */
  getGamertagPayment(input: GetGamertagPaymentInput, options: CallOptions = {}): Promise<ApiAnswer<GamertagTransaction>> {
    return this.call(operations.getGamertagPayment, input, options)
  }

  /**
   * Moves sats to the wallet of another project of the same operator, at once and without a fee. The operator sets which projects belong together; by default, none do. Not every provider offers this operation.
   *
   * Needs a key with the scope `send`.
   *
   * Send an `idempotencyKey` of your own, so that a repeated request is carried out only once.
   */
  internalTransfer(input: InternalTransferInput, options: CallOptions = {}): Promise<ApiAnswer<Transfer>> {
    return this.call(operations.internalTransfer, input, options)
  }

  /**
   * Asks the server of an address whether it is a Lightning Address. If it is not, the answer is `valid: false` without metadata, and not an error.
   *
   * Needs a key with the scope `read`.
   */
  validateLightningAddress(input: ValidateLightningAddressInput, options: CallOptions = {}): Promise<ApiAnswer<LightningAddress>> {
    return this.call(operations.validateLightningAddress, input, options)
  }

  /**
   * Asks a Lightning Address for an invoice of exactly the amount, checks it, and pays it. Answers with the outcome, or after 5 seconds with status `processing`; the outcome then arrives at callbackUrl, and Retrieve Payment shows it. Send an `Idempotency-Key`: the address returns another invoice to each request, so nothing else shows that two requests are for the same payment. Not every provider offers this operation.
   *
   * Needs a key with the scope `send`.
   *
   * Send an `idempotencyKey` of your own, so that a repeated request is carried out only once.
   */
  payLightningAddress(input: PayLightningAddressInput, options: CallOptions = {}): Promise<ApiAnswer<AddressPayment>> {
    return this.call(operations.payLightningAddress, input, options)
  }

  /**
   * Asks a Lightning Address for an invoice, checks its amount, its network and its purpose, and returns it. The payment goes to the owner of the address, not through this service, which therefore cannot know whether the invoice was paid. Not every provider offers this operation.
   *
   * Needs a key with the scope `receive`.
   *
   * Send an `idempotencyKey` of your own, so that a repeated request is carried out only once.
   */
  chargeFromAddress(input: ChargeFromAddressInput, options: CallOptions = {}): Promise<ApiAnswer<ChargeFromAddressAnswer>> {
    return this.call(operations.chargeFromAddress, input, options)
  }

  /**
   * Debits the project wallet and issues a code that any user can redeem once. The fee is 1 % of the amount, at least 1 satoshi. Additive: with `withdraw`, any Lightning wallet can claim the voucher without the code. The wallet receives its `amount`; the rest of the voucher, at most half, pays the routing fee, and what is left of it is a fee of the service. `withdraw` is omitted if too little would arrive. Additive: at `expiresAt`, a voucher that nobody has redeemed is revoked automatically.
   *
   * Needs a key with the scope `send`.
   *
   * Send an `idempotencyKey` of your own, so that a repeated request is carried out only once.
   */
  createVoucher(input: CreateVoucherInput, options: CallOptions = {}): Promise<ApiAnswer<CreatedVoucher>> {
    return this.call(operations.createVoucher, input, options)
  }

  /**
   * Creates many vouchers of one amount at once: all of them, or none. The wallet is debited once, and each voucher costs as much as a single voucher. Each is read, redeemed and revoked like any other voucher. Not every provider offers this operation.
   *
   * Needs a key with the scope `send`.
   *
   * Send an `idempotencyKey` of your own, so that a repeated request is carried out only once.
   */
  createVoucherBatch(input: CreateVoucherBatchInput, options: CallOptions = {}): Promise<ApiAnswer<VoucherBatch>> {
    return this.call(operations.createVoucherBatch, input, options)
  }

  /**
   * Shows whether a voucher is valid, redeemed or revoked. Anybody who can read its code can redeem it, so it needs the scope for sending. If a Lightning wallet elsewhere claimed it, `redeemedById` is `lightning`. Additive: `withdraw`, as in Create Voucher, for as long as the voucher can be claimed.
   *
   * Needs a key with the scope `send`.
   */
  retrieveVoucher(input: RetrieveVoucherInput, options: CallOptions = {}): Promise<ApiAnswer<Voucher>> {
    return this.call(operations.retrieveVoucher, input, options)
  }

  /**
   * Revokes a voucher that has been neither redeemed nor revoked, and credits the project wallet with its amount. Only the project that created the voucher can revoke it.
   *
   * Needs a key with the scope `send`.
   *
   * Send an `idempotencyKey` of your own, so that a repeated request is carried out only once.
   */
  revokeVoucher(input: RevokeVoucherInput, options: CallOptions = {}): Promise<ApiAnswer<EndedVoucher>> {
    return this.call(operations.revokeVoucher, input, options)
  }

  /**
   * Credits the wallet of the calling project with the amount of the voucher. Not every provider offers this operation.
   *
   * Needs a key with the scope `receive`.
   *
   * Send an `idempotencyKey` of your own, so that a repeated request is carried out only once.
   */
  redeemVoucher(input: RedeemVoucherInput, options: CallOptions = {}): Promise<ApiAnswer<EndedVoucher>> {
    return this.call(operations.redeemVoucher, input, options)
  }

  /**
   * Reads the gamertag that a user has now.
   *
   * Needs a key with the scope `read`.
   */
  getGamertagByUserId(input: GetGamertagByUserIdInput, options: CallOptions = {}): Promise<ApiAnswer<GetGamertagByUserIdAnswer>> {
    return this.call(operations.getGamertagByUserId, input, options)
  }

  /**
   * Reads the immutable id of the user who has a gamertag now. Case does not matter.
   *
   * Needs a key with the scope `read`.
   */
  getIdByGamertag(input: GetIdByGamertagInput, options: CallOptions = {}): Promise<ApiAnswer<GetIdByGamertagAnswer>> {
    return this.call(operations.getIdByGamertag, input, options)
  }

  /**
   * Opens a user for one of the project's own people. Each later call with the same `reference` returns the same user, even if the gamertag has changed.
   *
   * Needs a key with the scope `receive`.
   *
   * Send an `idempotencyKey` of your own, so that a repeated request is carried out only once.
   */
  openUser(input: OpenUserInput, options: CallOptions = {}): Promise<ApiAnswer<ProjectUser>> {
    return this.call(operations.openUser, input, options)
  }

  /**
   * Creates a link that opens the wallet page of a user whom the project opened. It works once, within ten minutes. Anybody who has the link can spend that wallet's sats, so show it only to that person. Earlier links that nobody has opened stop working.
   *
   * Needs a key with the scope `send`.
   *
   * Send an `idempotencyKey` of your own, so that a repeated request is carried out only once.
   */
  createSignInLink(input: CreateSignInLinkInput, options: CallOptions = {}): Promise<ApiAnswer<SignInLink>> {
    return this.call(operations.createSignInLink, input, options)
  }

  /**
   * Checks whether a gamertag belongs to one of the project's own people: either the project opened its user under this `reference`, or its user got this `code` on the wallet page. A code works once, within ten minutes.
   *
   * Needs a key with the scope `receive`.
   *
   * Send an `idempotencyKey` of your own, so that a repeated request is carried out only once.
   */
  proveGamertag(input: ProveGamertagInput, options: CallOptions = {}): Promise<ApiAnswer<ProvenUser>> {
    return this.call(operations.proveGamertag, input, options)
  }

  /**
   * Reads the balance of the project that owns the API key. Reserved money is not included. Additive: `node` contains the state of the Lightning node at its last check (`low`: it can send less than this wallet holds), and its fixed price for sending, if there is one.
   *
   * Needs a key with the scope `read`.
   */
  getWallet(options: CallOptions = {}): Promise<ApiAnswer<Wallet>> {
    return this.call(operations.getWallet, {}, options)
  }

  /**
   * Lists every booking of the project wallet, the newest first. For the next page, send `next` as `after`; the list has ended when `next` is null. A page can have fewer bookings than its limit, even none, if few bookings match. With `Accept: text/csv` the answer is a table, and `next` is in the header `x-next-cursor`. Not every provider offers this operation.
   *
   * Needs a key with the scope `read`.
   */
  listTransactions(input: ListTransactionsInput = {}, options: CallOptions = {}): Promise<ApiAnswer<ListTransactionsAnswer>> {
    return this.call(operations.listTransactions, input, options)
  }

  /**
   * Says whether the service is offered in the region of an IP address.
   *
   * Needs a key with the scope `read`.
   */
  apiSupportedRegions(input: ApiSupportedRegionsInput, options: CallOptions = {}): Promise<ApiAnswer<Region>> {
    return this.call(operations.apiSupportedRegions, input, options)
  }

  /**
   * Lists the addresses from which callbacks come, for a firewall. The list is empty if the operator has entered none. A signature proves more than an address, so check it in any case. Not every provider offers this operation.
   *
   * Needs a key with the scope `read`.
   */
  getCallbackAddresses(options: CallOptions = {}): Promise<ApiAnswer<GetCallbackAddressesAnswer>> {
    return this.call(operations.getCallbackAddresses, {}, options)
  }

  /**
   * Reads the price of a bitcoin in dollars, from the source that the operator has chosen, at most ten minutes old. 503 `no_price` if there is none. Not every provider offers this operation.
   *
   * Needs a key with the scope `read`.
   */
  getPrice(options: CallOptions = {}): Promise<ApiAnswer<GetPriceAnswer>> {
    return this.call(operations.getPrice, {}, options)
  }

  /**
   * Reads who has logged in. The user must have allowed `user` to a program of this project. Not every provider offers this operation.
   *
   * Needs a key with the scope `read`.
   */
  getUserProfile(input: GetUserProfileInput, options: CallOptions = {}): Promise<ApiAnswer<UserProfile>> {
    return this.call(operations.getUserProfile, input, options)
  }

  /**
   * Reads how much the user who has logged in can spend. The user must have allowed `wallet` to a program of this project. No sats can be spent with the access token. Not every provider offers this operation.
   *
   * Needs a key with the scope `read`.
   */
  getUserWallet(input: GetUserWalletInput, options: CallOptions = {}): Promise<ApiAnswer<UserWallet>> {
    return this.call(operations.getUserWallet, input, options)
  }

  /**
   * Streams server-sent events with the contents of callbacks, for all resources of the project, with or without a `callbackUrl`, in the order in which they happened. `event` is the kind of the callback, `id` its `webhook-id`. After a break, send the last id as `Last-Event-ID`: the stream continues after it, if it is at most three days old. Without it, the stream begins with the next event. Events of withdrawal requests are sent only to keys with the scope `send`, because anybody who has their codes can claim the sats. Not every provider offers this operation.
   *
   * Needs a key with the scope `read`.
   */
  events(options: StreamOptions = {}): AsyncGenerator<StreamEvent<SignedEvent>, void, undefined> {
    return this.stream(operations.events, {}, options)
  }
}
