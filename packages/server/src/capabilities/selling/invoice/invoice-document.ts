// An invoice as the provider describes it. Nothing here is computed: amounts, taxes and totals are the provider's, in minor units.
export interface InvoiceDocument {
  readonly number: string | null;
  readonly customer: {
    readonly name: string | null;
    readonly email: string | null;
    readonly address: readonly string[];
    readonly taxIds: readonly string[];
  };
  readonly lines: readonly InvoiceLine[];
  readonly subtotal: number | null;
  readonly discount: number | null;
  readonly taxes: readonly { readonly label: string; readonly amount: number }[];
  readonly total: number;
  readonly paid: number;
  // The provider's own page of it.
  readonly url: string | null;
}

export interface InvoiceLine {
  readonly text: string;
  readonly quantity: number | null;
  readonly amount: number;
}
