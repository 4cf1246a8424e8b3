# The page is well-formed, contains a drawing, no script, and loads nothing.
. "$WARPSAN_ROOT/tests/cli/common.inc"
write_weak weak.litmus
write_strong strong.litmus
status 0 "$WARPSAN" check --format html weak.litmus strong.litmus
cat >judge.py <<'END'
import html.parser
text = open("out", encoding="utf-8").read()
void = {"meta", "link", "br", "img"}

class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.seen = [], []

    def handle_starttag(self, tag, attrs):
        self.seen.append(tag)
        assert not any(name in ("src", "onclick") for name, _ in attrs)
        if tag not in void:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.seen.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, tag

page = Page()
page.feed(text)
assert not page.open, page.open
assert "script" not in page.seen and "link" not in page.seen
assert page.seen.count("svg") == 3  # arrow heads, and a witness for each result
assert "weak.litmus" in text and "forbidden" in text
END
python3 judge.py || fail "$(head -c 3000 out)"
