// A program that plays any game at random over the line protocol: one JSON object per line in, one out.
// It needs no JSON library: it reads the few fields that it wants and steps over all others.
//
//     g++ -O2 -std=c++17 -o any_game any_game.cpp

#include <cctype>
#include <iostream>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

// Reads JSON from left to right; `at` is the next character to look at.
class Reader {
public:
    explicit Reader(const std::string& line) : text(line) {}

    // The next character that is not white space, which stays where it is.
    char peek() {
        while (at < text.size() && std::string(" \t\r\n").find(text[at]) != std::string::npos) ++at;
        if (at == text.size()) throw std::runtime_error("the line ends too early");
        return text[at];
    }

    // Steps over this character if it comes next.
    bool skip(char wanted) {
        if (peek() != wanted) return false;
        ++at;
        return true;
    }

    void expect(char wanted) {
        if (!skip(wanted)) throw std::runtime_error(std::string("expected ") + wanted);
    }

    std::string read_string() {
        expect('"');
        std::string result;
        for (char c = next(); c != '"'; c = next()) {
            if (c == '\\') read_escape(result);
            else result += c;
        }
        return result;
    }

    std::vector<std::string> read_strings() {
        std::vector<std::string> result;
        expect('[');
        if (skip(']')) return result;
        do result.push_back(read_string());
        while (skip(','));
        expect(']');
        return result;
    }

    // Steps over a value of any kind.
    void skip_value() {
        switch (peek()) {
        case '"': read_string(); break;
        case '{':
            expect('{');
            if (skip('}')) break;
            do {
                read_string();
                expect(':');
                skip_value();
            } while (skip(','));
            expect('}');
            break;
        case '[':
            expect('[');
            if (skip(']')) break;
            do skip_value();
            while (skip(','));
            expect(']');
            break;
        default:  // a number, true, false or null
            while (at < text.size() && std::string(",]} \t\r\n").find(text[at]) == std::string::npos) ++at;
        }
    }

private:
    const std::string& text;
    size_t at = 0;

    char next() {
        if (at == text.size()) throw std::runtime_error("the line ends within a string");
        return text[at++];
    }

    // What follows a backslash, as UTF-8.
    void read_escape(std::string& result) {
        const std::string letters = "\"\\/bfnrt", meanings = "\"\\/\b\f\n\r\t";
        const char letter = next();
        const size_t index = letters.find(letter);
        if (index != std::string::npos) {
            result += meanings[index];
        } else if (letter == 'u') {
            unsigned code = read_hex();
            if (code >= 0xD800 && code < 0xDC00) {  // characters past the first 65,536 come as a pair
                if (next() != '\\' || next() != 'u') throw std::runtime_error("half of a pair of \\u");
                code = 0x10000 + ((code - 0xD800) << 10) + (read_hex() - 0xDC00);
            }
            append_utf8(result, code);
        } else {
            throw std::runtime_error("a backslash before a letter that means nothing");
        }
    }

    unsigned read_hex() {
        const std::string digits = "0123456789abcdef";
        unsigned value = 0;
        for (int i = 0; i < 4; ++i) {
            const size_t digit = digits.find(static_cast<char>(std::tolower(next())));
            if (digit == std::string::npos) throw std::runtime_error("\\u wants four hexadecimal digits");
            value = 16 * value + static_cast<unsigned>(digit);
        }
        return value;
    }

    static void append_utf8(std::string& result, unsigned code) {
        if (code < 0x80) {
            result += static_cast<char>(code);
        } else if (code < 0x800) {
            result += static_cast<char>(0xC0 | code >> 6);
            result += static_cast<char>(0x80 | (code & 0x3F));
        } else if (code < 0x10000) {
            result += static_cast<char>(0xE0 | code >> 12);
            result += static_cast<char>(0x80 | (code >> 6 & 0x3F));
            result += static_cast<char>(0x80 | (code & 0x3F));
        } else {
            result += static_cast<char>(0xF0 | code >> 18);
            result += static_cast<char>(0x80 | (code >> 12 & 0x3F));
            result += static_cast<char>(0x80 | (code >> 6 & 0x3F));
            result += static_cast<char>(0x80 | (code & 0x3F));
        }
    }
};

// A text as JSON writes it.
std::string quoted(const std::string& text) {
    std::string result = "\"";
    for (unsigned char c : text) {
        if (c == '"' || c == '\\') {
            result += '\\';
            result += static_cast<char>(c);
        } else if (c < 0x20) {
            const char* digits = "0123456789abcdef";
            result += "\\u00";
            result += digits[c >> 4];
            result += digits[c & 15];
        } else {
            result += static_cast<char>(c);
        }
    }
    return result + '"';
}

struct Request {
    std::string type;
    std::vector<std::string> legal;  // the names of the legal moves
};

Request read_request(const std::string& line) {
    Request request;
    Reader reader(line);
    reader.expect('{');
    if (reader.skip('}')) return request;
    do {
        const std::string field = reader.read_string();
        reader.expect(':');
        if (field == "type") request.type = reader.read_string();
        else if (field == "legal") request.legal = reader.read_strings();
        else reader.skip_value();
    } while (reader.skip(','));
    reader.expect('}');
    return request;
}

int main() {
    std::mt19937 random;  // without a seed: the same game again gets the same moves, which helps to find bugs
    std::string line;
    try {
        while (std::getline(std::cin, line)) {
            const Request request = read_request(line);
            // std::endl sends the line off at once; in a buffer it would wait while the clock runs.
            if (request.type == "start") {
                std::cout << R"({"type": "ready", "protocol": "ludus/1", "name": "any-game"})" << std::endl;
            } else if (request.type == "move") {
                if (request.legal.empty()) throw std::runtime_error("there is no legal move to choose from");
                const std::string& move = request.legal[random() % request.legal.size()];
                std::cout << "{\"type\": \"move\", \"move\": " << quoted(move) << "}" << std::endl;
            }
        }
    } catch (const std::exception& error) {
        std::cerr << "any_game: " << error.what() << std::endl;
        return 1;
    }
}
