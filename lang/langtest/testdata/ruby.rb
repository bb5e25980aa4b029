# Keeps a list of readings.
require "json"

=begin
A block
comment.
=end

module Readings
  LIMIT = 0xff + 0b11 + 0o17
  RATIO = 1_000.5e-3
  PATTERN = /^(\w+)=#{LIMIT} items$/ix
  NAMES = %w[one two three].freeze
  KINDS = %i[small large]

  class Reading < Struct
    attr_accessor :name, :values
    @@count = 0

    def initialize(name, *rest, unit: "m", **options, &block)
      super()
      @name = name
      @values = rest.map { |r| r.to_f * 2 }
      @@count += 1
      $last = self
      yield self if block_given?
    end

    def to_s
      "#{@name}: #{@values.size} values of all"
    end
  end

  # BEGIN fragment
  def self.summarize(readings, limit = LIMIT, strict: false)
    totals = {}
    readings.each_with_index do |reading, i|
      next if reading.nil? || i >= limit # nothing measured
      unless reading.values.empty?
        mean = reading.values.sum / reading.values.size
        totals[reading.name] ||= []
        totals[reading.name] << mean ** 2
      else
        raise ArgumentError, "bad reading %d" % i if strict && !reading.name
      end
    end
    totals.each do |name, list|
      totals[name] = list.select { |v| v != 0 && v > 1 }
    end
    totals
  end
  # END fragment

  def self.show(kind, text = <<~TEXT)
    Some text for #{kind}
    on two lines.
  TEXT
    case kind
    when :small, "tiny" then puts text
    when 1..3 then print 'a', ?b, 3r, 2i
    else
      puts `date`, :"quoted #{kind}"
    end
    begin
      x = kind ? nil : true
      x = x&.size || (kind <=> 3)
    rescue StandardError => e
      retry unless e.message =~ /once/
    ensure
      while x do x = false; break end
    end
    ->(a, b = 2) { a + b }.call(1) until x or not kind
  end
end
