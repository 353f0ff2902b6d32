# Called by keep-backups.sh. Each restore begins a timeline, and a dump's restore another database: only one of them was
# current at a time. With a time (seconds since 1970), prints the backup to begin with, the timeline, and the database's
# id. Without one, lists the windows that come back.
use strict;
use warnings;
use JSON::PP;
use POSIX 'strftime';

$ENV{TZ} = 'Europe/London';
my $wanted = shift;
sub ask { my $out = qx(pgbackrest @_); $? == 0 or exit 1; return $out }
sub clock { strftime '%F %T', localtime shift }
sub lsn { my ($high, $low) = split m{/}, shift; return hex($high) * 2**32 + hex $low }

my ($repository) = @{ decode_json ask('info --output=json') };
my @spans;
my %archives;
# The stanza names a database twice if a dump of it was restored in between.
push @{ $archives{ $_->{'system-id'} } }, $_ for @{ $repository->{db} };
for my $dbs (values %archives) {
  my %is_of = map { $_->{id} => 1 } @$dbs;
  my @backups = grep { $is_of{ $_->{database}{id} } and not $_->{error} } @{ $repository->{backup} };
  @backups or next;
  my (%began, %file);
  for my $db (@$dbs) {
    my $archive = "archive/\$PGBACKREST_STANZA/$db->{version}-$db->{id}";
    my $files = decode_json ask("repo-ls --output=json $archive");
    for (keys %$files) {
      /^([0-9A-F]{8})\.history$/ or next;
      ($began{ hex $1 }, $file{ hex $1 }) = ($files->{$_}{time}, "$archive/$_");
    }
  }
  # The first timeline has no file. It began before its first backup.
  $began{1} //= $backups[0]{timestamp}{start};
  for my $timeline (sort { $a <=> $b } keys %began) {
    # Where it left each timeline before it.
    my %left = ($timeline => 2**64);
    if ($timeline > 1) {
      my $history = ask("repo-get $file{$timeline}");
      $left{$1} = lsn $2 while $history =~ m{^(\d+)\s+([0-9A-F]+/[0-9A-F]+)}mg;
    }
    my @usable = grep { lsn($_->{lsn}{stop}) <= ($left{ hex substr $_->{archive}{start}, 0, 8 } // -1) } @backups;
    push @spans, { began => $began{$timeline}, timeline => $timeline, db => $dbs->[0]{id}, backups => \@usable };
  }
}
@spans = sort { $a->{began} <=> $b->{began} } @spans;
my $list = '';
my $choice;
for my $n (0 .. $#spans) {
  my $span = $spans[$n];
  my $until = $n < $#spans ? $spans[ $n + 1 ]{began} : time;
  my ($first) = sort { $a <=> $b } map { $_->{timestamp}{stop} } @{ $span->{backups} };
  my $from = $first && $first > $span->{began} ? $first : $span->{began};
  next if not $first or $from > $until;
  $list .= sprintf "%s to %s  (timeline %d of database %d)\n", clock($from), clock($until), $span->{timeline}, $span->{db};
  next if not defined $wanted or $wanted < $from or $wanted > $until;
  my ($newest) = sort { $b->{timestamp}{stop} <=> $a->{timestamp}{stop} }
    grep { $_->{timestamp}{stop} <= $wanted } @{ $span->{backups} };
  $choice = "$newest->{label} $span->{timeline} $span->{db}\n" if $newest;
}
if (defined $choice) { print $choice }
elsif (defined $wanted) { print STDERR "That time is in no backup. These come back, London's time:\n$list"; exit 1 }
else { print $list }
