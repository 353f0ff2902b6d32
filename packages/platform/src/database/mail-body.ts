export type MailRow = {
  /** Begins the row, in bold. */
  title?: string;
  isAlarm?: boolean;
  text: string;
  note?: string;
  /** One for each column. */
  figures?: string[];
  href?: string;
  /** The normalised addresses of those whom it is about. */
  people?: string[];
};
export type MailSection = { heading: string; count?: number; columns?: string[]; rows: MailRow[] };
/** What a stored mail says. It is rendered when it is sent. */
export type MailBody = {
  subject: string;
  name: string;
  heading: string;
  sections: MailSection[];
  /** The page that it leads to, and the link's text. */
  href: string;
  link: string;
  foot: string;
};
