// name: helper_exception
// provides: Exception, handleException, RUNTIME_EXCEPTION, LOGIC_EXCEPTION, RANGE_EXCEPTION
// replaces: exception.h
// includes: cstdlib, iostream, sstream, stdexcept, string
// summary: Exceptions with file and line of the CUDA samples' exception.h under their own names.
// source: documented behaviour of the CUDA samples (Common)
template <class CassBase>
class Exception : public CassBase {
public:
    explicit Exception(const std::string& text) : CassBase(text) {}

    [[noreturn]] static void throw_it(const char* file, const int line, const std::string& detailed = "-")
    {
        std::ostringstream text;
        text << "Exception in file '" << file << "' in line " << line << "\nDetailed description: " << detailed << "\n";
        throw Exception(text.str());
    }
};

template <class CassThrown>
inline void handleException(const CassThrown& thrown)
{
    std::cerr << thrown.what() << std::endl;
    exit(EXIT_FAILURE);
}
#define RUNTIME_EXCEPTION(text) Exception<std::runtime_error>::throw_it(__FILE__, __LINE__, text)
#define LOGIC_EXCEPTION(text) Exception<std::logic_error>::throw_it(__FILE__, __LINE__, text)
#define RANGE_EXCEPTION(text) Exception<std::range_error>::throw_it(__FILE__, __LINE__, text)
