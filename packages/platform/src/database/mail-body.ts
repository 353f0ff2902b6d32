export type MailRow = {
  /** Begins the row, in bold. */
  title?: string;
  isAlarm?: boolean;
  text: string;
  note?: string;
  /** One for each column. */
  figures?: string[];
  href?: string;
  /** The normalised emails of the people in the row. */
  people?: string[];
};
export type MailSection = { heading: string; count?: number; columns?: string[]; rows: MailRow[] };
/** A stored mail's content, rendered when it is sent. */
export type MailBody = {
  subject: string;
  name: string;
  heading: string;
  sections: MailSection[];
  href: string;
  link: string;
  foot: string;
};
